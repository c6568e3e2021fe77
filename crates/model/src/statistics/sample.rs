//! One run: a statistic of its values, and how far it may be off.

use std::fmt;

use super::student::{MANY, student};

/// What is taken of the values of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Statistic {
    /// The value at this share of the sorted values, with linear interpolation: 0.5 is the median.
    Percentile(f64),
    /// The mean.
    Mean,
    /// The least value.
    Min,
    /// The greatest value.
    Max,
    /// The sum. One value is its own sum.
    Sum,
    /// How many values there are.
    Count,
}

impl Statistic {
    /// The words that [`Statistic::parse`] knows, percentiles as an example.
    pub const WORDS: [&'static str; 8] = ["p50", "p95", "p99", "mean", "min", "max", "sum", "count"];

    /// Reads a name: mean, min, max, sum, count, or a percentile such as p50, p95 or p99.9.
    ///
    /// ```
    /// use tracelake_model::statistics::Statistic;
    ///
    /// assert_eq!(Statistic::parse("p95"), Some(Statistic::Percentile(0.95)));
    /// assert_eq!(Statistic::parse("p101"), None);
    /// ```
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "mean" => Self::Mean,
            "min" => Self::Min,
            "max" => Self::Max,
            "sum" => Self::Sum,
            "count" => Self::Count,
            name => {
                let percent = name.strip_prefix('p')?.parse::<f64>().ok()?;
                Self::Percentile(Some(percent / 100.0).filter(|share| (0.0..=1.0).contains(share))?)
            }
        })
    }
}

impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Percentile(share) => return write!(f, "p{}", (share * 1e8).round() / 1e6),
            Self::Mean => "mean",
            Self::Min => "min",
            Self::Max => "max",
            Self::Sum => "sum",
            Self::Count => "count",
        })
    }
}

/// A statistic of the values of one run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measured {
    pub(super) value: f64,
    /// How far the logarithm of the true value may lie below and above, by the scatter of the values; infinite when nobody knows.
    pub(super) down: f64,
    pub(super) up: f64,
}

/// The statistic of the values that are numbers; none without any.
///
/// A least or greatest value, a sum and a count are taken as they are: the values do not say how far they are off.
pub(super) fn measure(values: &[f64], statistic: Statistic, confidence: f64) -> Option<Measured> {
    let mut values: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    values.sort_unstable_by(f64::total_cmp);
    let (least, greatest) = (*values.first()?, *values.last()?);
    let n = values.len() as f64;
    let exact = |value| Measured { value, down: 0.0, up: 0.0 };
    Some(match statistic {
        Statistic::Min => exact(least),
        Statistic::Max => exact(greatest),
        Statistic::Sum => exact(values.iter().sum()),
        Statistic::Count => exact(n),
        Statistic::Mean => {
            let mean = values.iter().sum::<f64>() / n;
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            let free = u32::try_from(values.len() - 1).unwrap_or(MANY).min(MANY);
            let reach = match free {
                0 => f64::INFINITY,
                free => student(confidence, free) * (squares / (n - 1.0) / n).sqrt() / mean.abs(),
            };
            Measured { value: mean, down: reach, up: reach }
        }
        Statistic::Percentile(share) => {
            let value = at(&values, share);
            let (low, high) = between(&values, share, student(confidence, MANY));
            let reach = |from: f64, to: f64| if from > 0.0 { (to / from).ln() } else { f64::INFINITY };
            Measured {
                value,
                down: low.map_or(f64::INFINITY, |low| reach(low, value).max(0.0)),
                up: high.map_or(f64::INFINITY, |high| reach(value, high).max(0.0)),
            }
        }
    })
}

/// The value at position `share * (n - 1)` of sorted values, as `percentile_cont` has it.
fn at(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let value = |place: f64| sorted[index(place, sorted.len())];
    let (low, high) = (value(place.floor()), value(place.ceil()));
    low + (place - place.floor()) * (high - low)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped between 0 and the last index")]
fn index(place: f64, n: usize) -> usize {
    (place.max(0.0) as usize).min(n - 1)
}

/// The order statistics between which the true percentile lies; none where there are too few values for one.
fn between(sorted: &[f64], share: f64, z: f64) -> (Option<f64>, Option<f64>) {
    let n = sorted.len() as f64;
    let reach = z * (n * share * (1.0 - share)).sqrt();
    // Ordinals from 1.
    let (low, high) = ((n * share - reach).ceil(), (n * share + reach).ceil());
    let value = |ordinal: f64| (1.0..=n).contains(&ordinal).then(|| sorted[index(ordinal - 1.0, sorted.len())]);
    (value(low), value(high))
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "sums of small whole numbers are exact")]
mod tests {
    use super::*;

    #[test]
    fn order_statistics_are_those_of_the_textbook() {
        // n = 20, p = 0.5: 10 +- 1.96 * sqrt(5) = 5.62 and 14.38, up: the 6th and the 15th
        let values: Vec<f64> = (1..=20).map(f64::from).collect();
        assert_eq!(between(&values, 0.5, 1.96), (Some(6.0), Some(15.0)));
        // p = 0.95: 19 +- 1.91 = 17.09 and 20.91, up: the 18th and none
        assert_eq!(between(&values, 0.95, 1.96), (Some(18.0), None));
        assert_eq!(between(&values[..3], 0.5, 1.96), (None, None));
    }

    #[test]
    fn statistics_are_read_and_written_by_name() {
        for name in Statistic::WORDS {
            assert_eq!(Statistic::parse(name).unwrap().to_string(), name);
        }
        assert_eq!(Statistic::parse("p99.9").unwrap().to_string(), "p99.9");
        for name in ["", "p", "median", "p-1", "pNaN", "p100.1"] {
            assert_eq!(Statistic::parse(name), None, "{name}");
        }
    }

    #[test]
    fn measures_by_hand() {
        let measured = |values: &[f64], name| measure(values, Statistic::parse(name).unwrap(), 0.95);
        let values = [4.0, f64::NAN, 1.0, 2.0];
        let value = |name| measured(&values, name).unwrap().value;
        let all = ["min", "max", "sum", "count", "p50", "mean"].map(value);
        assert_eq!(all, [1.0, 4.0, 7.0, 3.0, 2.0, 7.0 / 3.0]);
        assert!((value("p95") - 3.8).abs() < 1e-12);
        // The standard deviation of 1, 3 is sqrt(2), that of their mean 1; with one degree of freedom 12.706 times that, over 2
        let mean = measured(&[1.0, 3.0], "mean").unwrap();
        assert!((mean.up - 6.353_10).abs() < 1e-4 && mean.up == mean.down, "{}", mean.up);
        assert_eq!(measured(&[5.0], "mean").map(|m| m.up), Some(f64::INFINITY));
        assert_eq!(measured(&[5.0], "sum").map(|m| m.up), Some(0.0));
        assert!(measured(&[f64::INFINITY], "sum").is_none());
    }
}
