//! Functions of DataFusion that take a timestamp. Here they take a time too, which is a bigint, and return one.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, plan_err};
use datafusion::execution::FunctionRegistry;
use datafusion::logical_expr::type_coercion::functions::fields_with_udf;
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
};

use super::timestamp;
use super::units::field_unit;
use crate::unit::Unit;

/// The functions.
const FUNCTIONS: [&str; 4] = ["date_trunc", "date_bin", "date_part", "to_char"];

/// Registers the functions again.
pub(crate) fn register(registry: &mut dyn FunctionRegistry) -> Result<()> {
    for name in FUNCTIONS {
        if let Ok(function) = registry.udf(name) {
            registry.register_udf(Arc::new(TimeFunction::new(function).into()))?;
        }
    }
    Ok(())
}

/// A function of DataFusion.
#[derive(Debug)]
pub(super) struct TimeFunction {
    function: Arc<ScalarUDF>,
    signature: Signature,
}

impl TimeFunction {
    pub(super) fn new(function: Arc<ScalarUDF>) -> Self {
        let signature = Signature::user_defined(function.signature().volatility);
        Self { function, signature }
    }

    /// Returns the field that the function gets for an argument.
    fn inner_field(&self, field: &FieldRef) -> Result<FieldRef> {
        if *field.data_type() != DataType::Int64 {
            return Ok(Arc::clone(field));
        }
        match field_unit(field) {
            Some(Unit::Time) | None => Ok(Arc::new(field.as_ref().clone().with_data_type(timestamp()))),
            Some(unit) => plan_err!("{} needs a time, and `{}` has unit {unit}", self.name(), field.name()),
        }
    }

    fn inner_fields(&self, fields: &[FieldRef]) -> Result<Vec<FieldRef>> {
        fields.iter().map(|field| self.inner_field(field)).collect()
    }
}

impl PartialEq for TimeFunction {
    fn eq(&self, other: &Self) -> bool {
        self.function == other.function
    }
}

impl Eq for TimeFunction {}

impl Hash for TimeFunction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.hash(state);
    }
}

impl ScalarUDFImpl for TimeFunction {
    fn name(&self) -> &str {
        self.function.name()
    }

    fn aliases(&self) -> &[String] {
        self.function.aliases()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.function.return_type(types)
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let field = |ty: &DataType| Arc::new(Field::new("argument", ty.clone(), true));
        let fields = self.inner_fields(&types.iter().map(field).collect::<Vec<_>>())?;
        let Ok(coerced) = fields_with_udf(&fields, self.function.as_ref()) else {
            let usage = self.documentation().map_or(self.name(), |doc| doc.syntax_example.as_str());
            return plan_err!("the call is {usage}");
        };
        let outer = |(ty, field): (&DataType, FieldRef)| {
            if *ty == DataType::Int64 { DataType::Int64 } else { field.data_type().clone() }
        };
        Ok(types.iter().zip(coerced).map(outer).collect())
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        let fields = self.inner_fields(args.arg_fields)?;
        let is_time = fields.iter().zip(args.arg_fields).any(|(inner, outer)| inner.data_type() != outer.data_type());
        let inner = ReturnFieldArgs { arg_fields: &fields, scalar_arguments: args.scalar_arguments };
        let field = self.function.return_field_from_args(inner)?;
        if !is_time || !matches!(field.data_type(), DataType::Timestamp(..)) {
            return Ok(field);
        }
        let unit = HashMap::from([("unit".to_owned(), Unit::Time.as_str().to_owned())]);
        Ok(Arc::new(field.as_ref().clone().with_data_type(DataType::Int64).with_metadata(unit)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arg_fields = self.inner_fields(&args.arg_fields)?;
        let arguments = args.args.into_iter().zip(&arg_fields);
        let arguments = arguments.map(|(value, field)| match value.data_type() {
            DataType::Int64 => value.cast_to(field.data_type(), None),
            _ => Ok(value),
        });
        let is_time = *args.return_field.data_type() == DataType::Int64;
        let return_field = if is_time {
            Arc::new(args.return_field.as_ref().clone().with_data_type(timestamp()))
        } else {
            Arc::clone(&args.return_field)
        };
        let inner = ScalarFunctionArgs {
            args: arguments.collect::<Result<_>>()?,
            arg_fields,
            number_rows: args.number_rows,
            return_field,
            config_options: args.config_options,
        };
        let value = self.function.invoke_with_args(inner)?;
        if is_time { value.cast_to(&DataType::Int64, None) } else { Ok(value) }
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.function.documentation()
    }
}
