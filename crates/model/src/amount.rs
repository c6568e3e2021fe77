//! Numbers as text for people.

use crate::unit::Unit;

/// Formats an integer with commas as thousands separators.
pub fn group_digits(number: impl Into<i128>) -> String {
    let number = number.into();
    let digits = number.unsigned_abs().to_string();
    let mut text = String::from(if number < 0 { "-" } else { "" });
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with three significant digits, and with all digits before the decimal point if it has at most 15.
///
/// # Units
/// None. The caller adds the unit.
pub fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".to_owned() } else { "?".to_owned() };
    }
    if value.abs() < 1e-6 || value.abs() >= 1e15 {
        return format!("{value:.2e}");
    }
    let digits = [100.0, 10.0, 1.0, 0.1, 0.01, 0.001].iter().position(|edge| value.abs() >= *edge);
    trim_fraction(format!("{value:.*}", digits.unwrap_or(6)))
}

/// Removes the zeros at the end of the fraction of a number.
pub fn trim_fraction(text: String) -> String {
    if text.contains('.') {
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    text
}

/// A unit for the numbers of one axis, and the number to divide recorded numbers by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    pub unit: &'static str,
    pub divisor: f64,
}

impl Scale {
    const TIME: [Self; 4] = Self::by_thousands(["s", "ms", "us", "ns"]);
    const RATE: [Self; 4] = Self::by_thousands(["GB/s", "MB/s", "kB/s", "B/s"]);
    const BYTES: [Self; 4] = Self::by_thousands(["GB", "MB", "kB", "B"]);

    /// Scales that differ by factors of 1,000, from the largest unit to the unit of recorded values.
    const fn by_thousands([giga, mega, kilo, one]: [&'static str; 4]) -> [Self; 4] {
        [
            Self { unit: giga, divisor: 1e9 },
            Self { unit: mega, divisor: 1e6 },
            Self { unit: kilo, divisor: 1e3 },
            Self { unit: one, divisor: 1.0 },
        ]
    }

    /// The unit that fits a duration in ns.
    pub fn time(ns: f64) -> Self {
        Self::fit(Self::TIME, ns)
    }

    /// The unit that fits a rate in bytes per second.
    pub fn rate(bytes_per_s: f64) -> Self {
        Self::fit(Self::RATE, bytes_per_s)
    }

    /// The unit that fits a size in bytes.
    pub fn bytes(bytes: f64) -> Self {
        Self::fit(Self::BYTES, bytes)
    }

    /// The largest scale in which the value is at least 1, or else the smallest scale.
    fn fit(scales: [Self; 4], value: f64) -> Self {
        scales.into_iter().find(|scale| value >= scale.divisor).unwrap_or(scales[3])
    }

    /// Converts a recorded value to this unit.
    pub fn convert(self, value: f64) -> f64 {
        value / self.divisor
    }

    /// The value with its unit. A duration that needs five digits in this unit gets a larger unit.
    pub fn text(self, value: f64) -> String {
        let value = self.convert(value);
        match Self::TIME.iter().find(|time| time.unit == self.unit) {
            Some(time) if value >= 9_999.5 => duration(value * time.divisor),
            _ => format!("{} {}", number(value), self.unit),
        }
    }
}

/// A duration in ns, in the unit that fits it: from ns to hours, with at most four digits below 10,000 hours.
pub fn duration(ns: f64) -> String {
    let (value, unit) = fit_duration(ns);
    format!("{} {unit}", number(value))
}

/// A number with its unit, scaled so that it is easy to read: `1.5 ms`.
pub fn amount(value: f64, unit: Option<Unit>) -> String {
    let size = value.abs();
    let text = match unit {
        Some(Unit::Ns) => duration(size),
        Some(Unit::Us) => duration(size * 1e3),
        Some(Unit::Ms) => duration(size * 1e6),
        Some(Unit::S) => duration(size * 1e9),
        Some(Unit::Bytes) => Scale::bytes(size).text(size),
        Some(Unit::BytesPerS) => Scale::rate(size).text(size),
        Some(Unit::Ratio) => return format!("{} %", number(value * 100.0)),
        Some(Unit::Percent) => return format!("{} %", number(value)),
        Some(Unit::PerS) if size >= 1e6 => format!("{}/s", prefixed(size)),
        Some(Unit::PerS) => return format!("{} /s", number(value)),
        _ => return number(value),
    };
    if value < 0.0 { format!("-{text}") } else { text }
}

/// A number of at least 0 with a prefix for thousands, such as `314 T` for 3.14e14.
pub fn prefixed(value: f64) -> String {
    let prefixes = [(1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    match prefixes.into_iter().find(|(size, _)| value >= *size) {
        Some((size, prefix)) => format!("{} {prefix}", number(value / size)),
        None => number(value),
    }
}

/// Converts a duration in ns to a value and the unit that fits it, from ns to hours.
fn fit_duration(ns: f64) -> (f64, &'static str) {
    match ns / 60e9 {
        minutes if minutes >= 120.0 => (minutes / 60.0, "h"),
        minutes if minutes >= 2.0 => (minutes, "min"),
        _ => (Scale::time(ns).convert(ns), Scale::time(ns).unit),
    }
}

/// A duration in ns with four significant digits, in the unit that fits it: from ns to hours.
pub fn precise_duration(ns: i64) -> String {
    let (value, unit) = fit_duration(ns.unsigned_abs() as f64);
    let digits = [1000.0, 100.0, 10.0].iter().position(|edge| value >= *edge).unwrap_or(3);
    let text = trim_fraction(format!("{value:.digits$}"));
    format!("{}{text} {unit}", if ns < 0 { "-" } else { "" })
}
