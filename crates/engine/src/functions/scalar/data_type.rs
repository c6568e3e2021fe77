//! Data types of tensors, by the names that profilers write.

/// A data type of tensors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DataType {
    /// PyTorch's name, such as `bfloat16`.
    pub(super) name: &'static str,
    /// Size of an element in bytes.
    pub(super) bytes: u8,
}

/// Reads the C++ name of an operator's input (`long int`, `c10::Half`) or that of a collective (`Long`, `Half`).
pub(super) fn parse_data_type(name: &str) -> Option<DataType> {
    let name = name.strip_prefix("c10::").unwrap_or(name).to_ascii_lowercase();
    let (name, bytes) = match name.as_str() {
        "double" => ("float64", 8),
        "float" => ("float32", 4),
        "half" => ("float16", 2),
        "bfloat16" => ("bfloat16", 2),
        "long int" | "long" => ("int64", 8),
        "int" => ("int32", 4),
        "short int" | "short" => ("int16", 2),
        "signed char" | "char" => ("int8", 1),
        "unsigned char" | "byte" => ("uint8", 1),
        "bool" => ("bool", 1),
        "complex<float>" | "complexfloat" => ("complex64", 8),
        "complex<double>" | "complexdouble" => ("complex128", 16),
        name if name.starts_with("float8_") => ("float8", 1),
        _ => return None,
    };
    Some(DataType { name, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_write_a_type() {
        for (one, other, name, bytes) in [
            ("float", "Float", "float32", 4),
            ("c10::BFloat16", "BFloat16", "bfloat16", 2),
            ("long int", "Long", "int64", 8),
            ("c10::complex<float>", "ComplexFloat", "complex64", 8),
            ("c10::Float8_e4m3fn", "Float8_e5m2", "float8", 1),
        ] {
            assert_eq!(parse_data_type(one), Some(DataType { name, bytes }), "{one}");
            assert_eq!(parse_data_type(other), Some(DataType { name, bytes }), "{other}");
        }
        assert_eq!(parse_data_type("Scalar"), None);
    }
}
