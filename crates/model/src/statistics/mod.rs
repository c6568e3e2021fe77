//! How much two groups of runs differ in a number, and whether that is more than noise.
//!
//! Takes the values of each run of two groups, such as the durations of its steps; gives the ratio of a statistic of
//! them with an interval. No randomness: the same values give the same interval, in any order.
//!
//! Two kinds of noise count. Within a run the values scatter: a percentile has the interval of its order statistics, a mean
//! that of its standard error. Between runs of the same code a machine, a node or a disk is faster or slower by as much for all of
//! their values, and no number of steps of one run shows it. It is taken from the runs of a group where there are several, and
//! from `noise`, which counts as if it had been measured on five runs: one run a side is then compared by `noise` alone, and ten
//! runs of a baseline outweigh it.
//!
//! # Source
//! Order statistics: W. J. Conover, Practical Nonparametric Statistics, confidence interval for a quantile. Interval of a
//! difference (here of logarithms) from those of its parts: G. Y. Zou and A. Donner, Statistics in Medicine 27 (2008). Noise
//! between runs: the moment estimator of DerSimonian and Laird, moderated by degrees of freedom as in G. K. Smyth (2004).

mod sample;
mod student;

pub use sample::Statistic;
use sample::{Measured, measure};
use student::student;

/// Noise between runs of the same code that is taken where nobody has measured it, as a standard deviation over the value.
pub const NOISE: f64 = 0.005;

/// How sure an interval is.
pub const CONFIDENCE: f64 = 0.95;

/// Degrees of freedom that `noise` counts for.
const ASSUMED: u32 = 4;

/// A statistic of two groups of runs, and their ratio.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Difference {
    /// The mean over the runs of the first group; none without values.
    pub a: Option<f64>,
    /// The same of the second group.
    pub b: Option<f64>,
    /// `b` over `a`; none unless both are positive.
    pub ratio: Option<f64>,
    /// Lower end of the interval of `ratio`; none when there are too few values for one.
    pub low: Option<f64>,
    /// Upper end of it.
    pub high: Option<f64>,
}

impl Difference {
    /// Whether the interval leaves out 1; none when it is not known.
    pub fn significant(&self) -> Option<bool> {
        match (self.low, self.high) {
            (Some(low), _) if low > 1.0 => Some(true),
            (_, Some(high)) if high < 1.0 => Some(true),
            (Some(_), Some(_)) => Some(false),
            _ => None,
        }
    }
}

/// Compares a statistic of two groups; each holds the values of its runs. Values that are no finite numbers are left out, and
/// runs without others too.
///
/// `noise` is the standard deviation between runs of the same code over the value, `confidence` lies between 0 and 1.
///
/// # Examples
/// ```
/// use tracelake_model::statistics::{Statistic, difference};
///
/// let before: Vec<f64> = (0..200).map(|n| 100.0 + f64::from(n % 7)).collect();
/// let after: Vec<f64> = before.iter().map(|dur| dur * 1.05).collect();
/// let found = difference(&[before], &[after], Statistic::Percentile(0.5), 0.005, 0.95);
/// assert_eq!((found.a, found.b), (Some(103.0), Some(103.0 * 1.05)));
/// assert_eq!(found.significant(), Some(true));
/// ```
pub fn difference(a: &[Vec<f64>], b: &[Vec<f64>], statistic: Statistic, noise: f64, confidence: f64) -> Difference {
    let measured = |runs: &[Vec<f64>]| -> Vec<Measured> {
        runs.iter().filter_map(|run| measure(run, statistic, confidence)).collect()
    };
    let (a, b) = (measured(a), measured(b));
    let (Some(group_a), Some(group_b)) = (Group::of(&a), Group::of(&b)) else {
        let value = |runs: &[Measured]| Group::of(runs).map(|group| group.value);
        return Difference { a: value(&a), b: value(&b), ..Difference::default() };
    };
    let mut found = Difference { a: Some(group_a.value), b: Some(group_b.value), ..Difference::default() };
    // A run that had none of it may hide among others that had: the scale of the logarithm has no place for it.
    if [&a, &b].into_iter().flatten().any(|run| run.value <= 0.0) {
        if group_a.value > 0.0 && group_b.value > 0.0 {
            found.ratio = Some(group_b.value / group_a.value);
        }
        return found;
    }
    let ratio = group_b.value / group_a.value;
    let spread = group_a.spread(&a, confidence) + group_b.spread(&b, confidence);
    let free = u32::try_from(a.len() + b.len() - 2).unwrap_or(student::MANY).min(student::MANY);
    let between = (f64::from(ASSUMED) * noise * noise + spread) / f64::from(ASSUMED + free);
    let t = student(confidence, ASSUMED + free);
    let between = t * t * between * (1.0 / a.len() as f64 + 1.0 / b.len() as f64);
    let down = (group_b.down + group_a.up + between).sqrt();
    let up = (group_b.up + group_a.down + between).sqrt();
    found.ratio = Some(ratio);
    found.low = down.is_finite().then(|| ratio * (-down).exp());
    found.high = up.is_finite().then(|| ratio * up.exp());
    found
}

/// What the runs of a side have in common.
struct Group {
    /// Mean over the runs.
    value: f64,
    /// Squares of how far the logarithm of the value may reach down and up, by the values within the runs.
    down: f64,
    up: f64,
}

impl Group {
    fn of(runs: &[Measured]) -> Option<Self> {
        if runs.is_empty() {
            return None;
        }
        let n = runs.len() as f64;
        let value = runs.iter().map(|run| run.value).sum::<f64>() / n;
        let reach = |reach: fn(&Measured) -> f64| {
            runs.iter().map(|run| (run.value / value / n * reach(run)).powi(2)).sum::<f64>()
        };
        Some(Self { value, down: reach(|run| run.down), up: reach(|run| run.up) })
    }

    /// The squares of how far runs lie from their mean, less what the scatter within them accounts for.
    fn spread(&self, runs: &[Measured], confidence: f64) -> f64 {
        if runs.len() < 2 {
            return 0.0;
        }
        let z = student(confidence, student::MANY);
        let squares: f64 = runs.iter().map(|run| (run.value / self.value - 1.0).powi(2)).sum();
        let within: f64 =
            runs.iter().map(|run| (f64::midpoint(run.down, run.up) / z).powi(2)).filter(|w| w.is_finite()).sum();
        (squares - within * (1.0 - 1.0 / runs.len() as f64)).max(0.0)
    }
}

#[cfg(test)]
mod tests;
