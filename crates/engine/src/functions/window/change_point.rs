//! `change_point(value, max_p, min_len)`: the positions where a series of values changes its level.
//!
//! A window function over the whole partition, in the order of the window. The result is a struct.
//! `segment` is a number from 0 that increases by 1 at each change. `p` is the p-value of the
//! change, on the first row of a segment. Both are null for a row without a value. A segment has
//! `min_len` values or more, and a change has a `p` of at most `max_p`.
//!
//! The test uses only ranks, so that an outlier has no more weight than other values. Its statistic
//! is the maximum, over all positions, of the difference between the ranks before and after, in
//! units of its standard deviation. `p` is the fraction of [`SHUFFLES`] permutations of the values
//! with a statistic at least as large. So the test assumes no distribution, but it does assume
//! independent values. A change is then moved to the position with the smallest sum of absolute
//! deviations from the medians of both sides. Both sides are searched again.
//!
//! # Source
//! The scan of ranks: Pettitt, A non-parametric approach to the change-point problem (1979), with
//! each position weighted by its variance. Permutations and the search of both sides: Matteson and
//! James, A nonparametric approach for multiple change point analysis of multivariate data (2014).

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Float64Array, Int64Array, StructArray};
use arrow::datatypes::{DataType, Field, Fields, Float64Type, Int64Type};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::{Signature, Volatility, WindowUDF};

use crate::functions::window::{ResultField, partition_function};

/// Number of permutations. With the original order they are a thousand, so that `p` is a multiple
/// of 0.001.
const SHUFFLES: u32 = 999;

/// Maximum number of times that a change is moved. Two are nearly always enough.
const MAX_REFINEMENTS: usize = 8;

/// The window function.
pub(crate) fn change_point() -> WindowUDF {
    let signature =
        Signature::exact(vec![DataType::Float64, DataType::Float64, DataType::Int64], Volatility::Immutable);
    let field: ResultField = |arguments| Ok(Arc::new(Field::new(arguments.name(), DataType::Struct(fields()), true)));
    partition_function("change_point", signature, field, evaluate)
}

fn fields() -> Fields {
    Fields::from(vec![Field::new("segment", DataType::Int64, true), Field::new("p", DataType::Float64, true)])
}

/// Evaluates one series.
fn evaluate(arguments: &[ArrayRef], rows: usize) -> Result<ArrayRef> {
    let values = arguments[0].as_primitive::<Float64Type>();
    let (max_p, min_len) = (arguments[1].as_primitive::<Float64Type>(), arguments[2].as_primitive::<Int64Type>());
    let Some(first) = (0..rows).next() else { return Ok(Arc::new(StructArray::new_null(fields(), 0))) };
    if max_p.is_null(first) || !(0.0..=1.0).contains(&max_p.value(first)) {
        return plan_err!("change_point: the maximum p must be a number from 0 to 1");
    }
    let Some(min_len) = usize::try_from(min_len.value(first)).ok().filter(|min_len| *min_len > 0) else {
        return plan_err!("change_point: a segment must have at least 1 value");
    };
    let valid_rows: Vec<usize> =
        (0..rows).filter(|row| values.is_valid(*row) && values.value(*row).is_finite()).collect();
    let series: Vec<f64> = valid_rows.iter().map(|row| values.value(*row)).collect();
    let mut segment: Vec<Option<i64>> = vec![None; rows];
    let mut p: Vec<Option<f64>> = vec![None; rows];
    let mut changes = find_changes(&series, max_p.value(first), min_len).into_iter().peekable();
    let mut number = 0;
    for (index, row) in valid_rows.into_iter().enumerate() {
        if let Some((_, change_p)) = changes.next_if(|(position, _)| *position == index) {
            number += 1;
            p[row] = Some(change_p);
        }
        segment[row] = Some(number);
    }
    let columns: Vec<ArrayRef> = vec![Arc::new(Int64Array::from(segment)), Arc::new(Float64Array::from(p))];
    Ok(Arc::new(StructArray::new(fields(), columns, None)))
}

/// Finds all changes: the start of each segment but the first, in order, with its `p`.
fn find_changes(values: &[f64], max_p: f64, min_len: usize) -> Vec<(usize, f64)> {
    let mut changes = Vec::new();
    let mut segments = vec![(0, values.len())];
    while let Some((start, end)) = segments.pop() {
        if let Some((position, p)) = find_change(&values[start..end], max_p, min_len) {
            changes.push((start + position, p));
            segments.extend([(start, start + position), (start + position, end)]);
        }
    }
    changes.sort_unstable_by_key(|(position, _)| *position);
    changes
}

/// Finds the clearest change, if it is significant: the position of the first value after it, and
/// its `p`.
fn find_change(values: &[f64], max_p: f64, min_len: usize) -> Option<(usize, f64)> {
    if values.len() < 2 * min_len {
        return None;
    }
    let mut ranks = centered_ranks(values);
    let (position, observed) = clearest_change(&ranks, min_len);
    if observed <= 0.0 {
        return None;
    }
    let mut random = SplitMix64(values.len() as u64);
    let mut reached = 1_u32;
    for _ in 0..SHUFFLES {
        random.shuffle(&mut ranks);
        // Rounding errors differ with the order of the sum.
        if clearest_change(&ranks, min_len).1 >= observed * (1.0 - 1e-9) {
            reached += 1;
            if f64::from(reached) > max_p * f64::from(SHUFFLES + 1) {
                return None;
            }
        }
    }
    let p = f64::from(reached) / f64::from(SHUFFLES + 1);
    (p <= max_p).then(|| (refine(values, position, min_len), p))
}

/// Ranks of the values minus the mean rank. Equal values share the mean of their ranks.
fn centered_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut below = 0;
    for equal in order.chunk_by(|a, b| values[*a].total_cmp(&values[*b]).is_eq()) {
        let middle = below as f64 + (equal.len() - 1) as f64 / 2.0;
        equal.iter().for_each(|index| ranks[*index] = middle - (values.len() - 1) as f64 / 2.0);
        below += equal.len();
    }
    ranks
}

/// The position at which the ranks before and after differ most, and the squared difference divided
/// by its variance.
fn clearest_change(ranks: &[f64], min_len: usize) -> (usize, f64) {
    let n = ranks.len();
    let (mut sum, mut best) = (0.0_f64, (min_len, 0.0_f64));
    for (index, rank) in ranks.iter().enumerate().take(n - min_len) {
        sum += rank;
        let position = index + 1;
        // Square roots would double the run time.
        let difference = sum * sum / (position as f64 * (n - position) as f64);
        if position >= min_len && difference > best.1 {
            best = (position, difference);
        }
    }
    best
}

/// Moves a change to the position with the smallest sum of absolute deviations from the medians of
/// both sides.
fn refine(values: &[f64], mut position: usize, min_len: usize) -> usize {
    for _ in 0..MAX_REFINEMENTS {
        let (before, after) = (median(&values[..position]), median(&values[position..]));
        let (mut sum, mut best) = (0.0, (position, f64::INFINITY));
        for (index, value) in values.iter().enumerate().take(values.len() - min_len) {
            sum += (value - before).abs() - (value - after).abs();
            if index + 1 >= min_len && sum < best.1 {
                best = (index + 1, sum);
            }
        }
        if best.0 == position {
            break;
        }
        position = best.0;
    }
    position
}

/// The median. Of two middle values it is the upper one, which has the same sum of absolute
/// deviations.
fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// The pseudorandom number generator SplitMix64, with a fixed seed, so that results are
/// reproducible.
struct SplitMix64(u64);

impl SplitMix64 {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        #[expect(clippy::cast_possible_truncation, reason = "less than n")]
        let number = ((u128::from(mixed) * n as u128) >> 64) as usize;
        number
    }

    fn shuffle(&mut self, values: &mut [f64]) {
        for last in (1..values.len()).rev() {
            values.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Approximately normal noise: each value is the sum of twelve uniform numbers from -0.5 to
    /// 0.5.
    fn noise(seed: u64, n: usize) -> Vec<f64> {
        let mut random = SplitMix64(seed << 32);
        let uniform = |random: &mut SplitMix64| random.below(1 << 30) as f64 / f64::from(1 << 30) - 0.5;
        (0..n).map(|_| (0..12).map(|_| uniform(&mut random)).sum()).collect()
    }

    #[test]
    fn noise_alone_is_not_a_change() {
        let alarms = (0..100).filter(|seed| !find_changes(&noise(*seed, 60), 0.01, 5).is_empty()).count();
        assert!(alarms <= 5, "{alarms} of 100");
    }

    #[test]
    fn a_shift_of_five_times_the_noise_is_located() {
        for expected in [8, 30, 53] {
            let is_located = |seed: &u64| {
                let mut values: Vec<f64> = noise(*seed, 60).into_iter().map(|noise| 100.0 + noise).collect();
                values[expected..].iter_mut().for_each(|value| *value += 5.0);
                matches!(find_changes(&values, 0.01, 5)[..], [(position, _)] if position.abs_diff(expected) <= 1)
            };
            let correct = (0..100).filter(is_located).count();
            assert!(correct >= 95, "position {expected}: {correct} of 100");
        }
    }

    #[test]
    fn several_changes_are_found_and_an_outlier_is_not_one() {
        let level = |index: usize| [10.0, 12.0, 9.0][index / 20];
        let mut values: Vec<f64> = (0..60).map(|index| level(index) + (index % 3) as f64 / 10.0).collect();
        values[7] = 1e6;
        let positions: Vec<usize> = find_changes(&values, 0.01, 5).into_iter().map(|(position, _)| position).collect();
        assert_eq!(positions, [20, 40]);
    }

    #[test]
    fn few_or_equal_values_have_no_change() {
        assert_eq!(find_changes(&[], 1.0, 1), []);
        assert_eq!(find_changes(&[1.0; 50], 1.0, 1), []);
        assert_eq!(find_changes(&[1.0, 1.0, 1.0, 1.0, 9.0, 9.0, 9.0, 9.0], 0.01, 5), []);
        // With a maximum p of 1, two values are a change.
        assert_eq!(find_changes(&[1.0, 2.0], 1.0, 1), [(1, 1.0)]);
    }

    #[test]
    fn equal_values_have_the_same_rank() {
        assert_eq!(centered_ranks(&[3.0, 1.0, 3.0, 2.0]), [1.0, -1.5, 1.0, -0.5]);
    }
}
