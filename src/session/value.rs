//! Values of query parameters.

use std::fmt;

use arrow::datatypes::DataType;
use datafusion::common::ScalarValue;

/// The value of a parameter.
///
/// ```
/// use tracelake::Value;
///
/// assert_eq!(Value::from(3), Value::Bigint(3));
/// assert_eq!(Value::from(vec![0.5, 1.0]).to_string(), "[0.5, 1.0]");
/// assert_eq!(Value::from(vec![5, 7]), Value::List(vec![5.into(), 7.into()]));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// No value.
    Null,
    /// An integer.
    Bigint(i64),
    /// A number.
    Double(f64),
    /// A text.
    Text(String),
    /// True or false.
    Boolean(bool),
    /// Several values of one type.
    List(Vec<Self>),
}

macro_rules! from {
    ($($ty:ty => |$value:ident| $make:expr),* $(,)?) => {
        $(impl From<$ty> for Value {
            fn from($value: $ty) -> Self { $make }
        })*
    };
}

from! {
    i32 => |v| Self::Bigint(i64::from(v)),
    i64 => |v| Self::Bigint(v),
    f64 => |v| Self::Double(v),
    bool => |v| Self::Boolean(v),
    &str => |v| Self::Text(v.to_owned()),
    String => |v| Self::Text(v),
    &[f64] => |v| Self::List(v.iter().copied().map(Self::Double).collect()),
    Vec<f64> => |v| Self::List(v.into_iter().map(Self::Double).collect()),
    &[i64] => |v| Self::List(v.iter().copied().map(Self::Bigint).collect()),
    Vec<i64> => |v| Self::List(v.into_iter().map(Self::Bigint).collect()),
    &[&str] => |v| Self::List(v.iter().map(|v| Self::from(*v)).collect()),
    Vec<String> => |v| Self::List(v.into_iter().map(Self::Text).collect()),
}

impl Value {
    /// Parses a value of a shell argument or of the registry of figures: a number, true or false, else text.
    pub(crate) fn typed(text: &str) -> Self {
        let number = text.parse().map(Self::Bigint).or_else(|_| text.parse().map(Self::Double));
        number.or_else(|_| text.parse().map(Self::Boolean)).unwrap_or_else(|_| Self::Text(text.to_owned()))
    }

    /// Returns the value for the engine.
    pub(super) fn scalar(&self) -> ScalarValue {
        match self {
            Self::Null => ScalarValue::Null,
            Self::Bigint(value) => ScalarValue::Int64(Some(*value)),
            Self::Double(value) => ScalarValue::Float64(Some(*value)),
            Self::Text(value) => ScalarValue::Utf8(Some(value.clone())),
            Self::Boolean(value) => ScalarValue::Boolean(Some(*value)),
            Self::List(values) => {
                let values: Vec<ScalarValue> = values.iter().map(Self::scalar).collect();
                // `[0, 50.5]` is a list of doubles, and `[null, 'a']` a list of texts.
                let mut types: Vec<DataType> =
                    values.iter().map(ScalarValue::data_type).filter(|ty| !ty.is_null()).collect();
                types.dedup();
                let element = match types.as_slice() {
                    [one] => one.clone(),
                    types if types.iter().all(DataType::is_numeric) => DataType::Float64,
                    _ => DataType::Utf8,
                };
                let cast = |value: &ScalarValue| value.cast_to(&element).unwrap_or(ScalarValue::Null);
                let values: Vec<ScalarValue> = values.iter().map(cast).collect();
                ScalarValue::List(ScalarValue::new_list(&values, &element, true))
            }
        }
    }
}

/// Writes the value as an SQL literal.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bigint(value) => write!(f, "{value}"),
            Self::Double(value) => write!(f, "{value:?}"),
            Self::Text(value) => write!(f, "'{}'", value.replace('\'', "''")),
            Self::Boolean(value) => write!(f, "{value}"),
            Self::List(values) => {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", values.join(", "))
            }
        }
    }
}
