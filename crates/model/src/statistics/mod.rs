//! Compares a statistic of two groups of runs, and tells whether the difference is more than noise.
//!
//! Takes the values of each run of two groups, such as the durations of its steps. Returns the
//! ratio of a statistic of them with a confidence interval. The result is deterministic: the same
//! values give the same interval, in any order.
//!
//! There are two kinds of noise. Within a run the values scatter: a percentile has the interval of
//! its order statistics, a mean that of its standard error. Between runs of the same code, a
//! machine, a node or a disk is faster or slower by the same amount for all values. No number of
//! steps of one run shows this. It is estimated from the runs of a group if there are several, and
//! from `noise`, which has the weight of a measurement on five runs. So with one run in each group
//! only `noise` counts, and ten runs of a baseline outweigh it.
//!
//! # Source
//! Order statistics: W. J. Conover, Practical Nonparametric Statistics, confidence interval for a
//! quantile. Interval of a difference (here of logarithms) from the intervals of its terms: G. Y.
//! Zou and A. Donner, Statistics in Medicine 27 (2008). Noise between runs: the moment estimator of
//! DerSimonian and Laird, moderated by degrees of freedom as in G. K. Smyth (2004).

mod sample;
mod student;

pub use sample::Statistic;
use sample::{Measurement, measure};
use student::student_quantile;

/// Default noise between runs of the same code if it was not measured: standard deviation / value.
pub const NOISE: f64 = 0.005;

/// Default confidence level of an interval.
pub const CONFIDENCE: f64 = 0.95;

/// Degrees of freedom of `noise`.
const NOISE_DEGREES: u32 = 4;

/// A statistic of two groups of runs, and the ratio of its values.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Difference {
    /// Mean over the runs of the first group; none without values.
    pub a: Option<f64>,
    /// Mean over the runs of the second group; none without values.
    pub b: Option<f64>,
    /// `b` / `a`; none unless both are positive.
    pub ratio: Option<f64>,
    /// Lower end of the confidence interval of `ratio`; none if there are too few values for one.
    pub low: Option<f64>,
    /// Upper end of the confidence interval of `ratio`.
    pub high: Option<f64>,
}

impl Difference {
    /// Whether the interval excludes 1; none if there is no interval.
    pub fn significant(&self) -> Option<bool> {
        match (self.low, self.high) {
            (Some(low), _) if low > 1.0 => Some(true),
            (_, Some(high)) if high < 1.0 => Some(true),
            (Some(_), Some(_)) => Some(false),
            _ => None,
        }
    }
}

/// Compares a statistic of two groups of runs; each group has the values of its runs. Values that
/// are not finite are skipped, and so are runs without other values.
///
/// `noise` is the standard deviation between runs of the same code divided by the value.
/// `confidence` is between 0 and 1.
///
/// # Examples
/// ```
/// use tracelake_model::statistics::{Statistic, difference};
///
/// let before: Vec<f64> = (0..200).map(|n| 100.0 + f64::from(n % 7)).collect();
/// let after: Vec<f64> = before.iter().map(|dur| dur * 1.05).collect();
/// let difference = difference(&[before], &[after], Statistic::Percentile(0.5), 0.005, 0.95);
/// assert_eq!((difference.a, difference.b), (Some(103.0), Some(103.0 * 1.05)));
/// assert_eq!(difference.significant(), Some(true));
/// ```
pub fn difference(a: &[Vec<f64>], b: &[Vec<f64>], statistic: Statistic, noise: f64, confidence: f64) -> Difference {
    let measure_all = |runs: &[Vec<f64>]| -> Vec<Measurement> {
        runs.iter().filter_map(|run| measure(run, statistic, confidence)).collect()
    };
    let (a, b) = (measure_all(a), measure_all(b));
    let (Some(group_a), Some(group_b)) = (Group::new(&a), Group::new(&b)) else {
        let value = |runs: &[Measurement]| Group::new(runs).map(|group| group.value);
        return Difference { a: value(&a), b: value(&b), ..Difference::default() };
    };
    let mut difference = Difference { a: Some(group_a.value), b: Some(group_b.value), ..Difference::default() };
    let ratio = group_b.value / group_a.value;
    difference.ratio = (group_a.value > 0.0 && group_b.value > 0.0).then_some(ratio);
    // One run of a group may be 0 or negative while the mean is positive: it has no logarithm, so
    // there is no interval.
    if [&a, &b].into_iter().flatten().any(|run| run.value <= 0.0) {
        return difference;
    }
    let spread = group_a.spread(&a, confidence) + group_b.spread(&b, confidence);
    let degrees = u32::try_from(a.len() + b.len() - 2).unwrap_or(student::NORMAL_DEGREES).min(student::NORMAL_DEGREES);
    let variance = (f64::from(NOISE_DEGREES) * noise * noise + spread) / f64::from(NOISE_DEGREES + degrees);
    let t = student_quantile(confidence, NOISE_DEGREES + degrees);
    let between_runs = t * t * variance * (1.0 / a.len() as f64 + 1.0 / b.len() as f64);
    let down = (group_b.down + group_a.up + between_runs).sqrt();
    let up = (group_b.up + group_a.down + between_runs).sqrt();
    difference.low = down.is_finite().then(|| ratio * (-down).exp());
    difference.high = up.is_finite().then(|| ratio * up.exp());
    difference
}

/// The combined statistic of the runs of a group.
struct Group {
    /// Mean over the runs.
    value: f64,
    /// Squared distances from the logarithm of the value to the ends of its interval, from the
    /// scatter within the runs.
    down: f64,
    up: f64,
}

impl Group {
    fn new(runs: &[Measurement]) -> Option<Self> {
        if runs.is_empty() {
            return None;
        }
        let n = runs.len() as f64;
        let value = runs.iter().map(|run| run.value).sum::<f64>() / n;
        let reach = |reach: fn(&Measurement) -> f64| {
            runs.iter().map(|run| (run.value / value / n * reach(run)).powi(2)).sum::<f64>()
        };
        Some(Self { value, down: reach(|run| run.down), up: reach(|run| run.up) })
    }

    /// Sum of the squared deviations of the runs from their mean, less the part that the scatter
    /// within them explains.
    fn spread(&self, runs: &[Measurement], confidence: f64) -> f64 {
        if runs.len() < 2 {
            return 0.0;
        }
        let z = student_quantile(confidence, student::NORMAL_DEGREES);
        let squares: f64 = runs.iter().map(|run| (run.value / self.value - 1.0).powi(2)).sum();
        let within: f64 =
            runs.iter().map(|run| (f64::midpoint(run.down, run.up) / z).powi(2)).filter(|w| w.is_finite()).sum();
        (squares - within * (1.0 - 1.0 / runs.len() as f64)).max(0.0)
    }
}

#[cfg(test)]
mod tests;
