//! `change_point(value, max_p, least)`: where a series of values changes its level.
//!
//! A window function over the whole partition, in the order of the window. It gives a struct: `segment`, from 0, one more
//! behind each change; and `p`, on the first row of a segment: how often values without any order change as much by chance.
//! Both are null for a row without a value. A segment has at least `least` values, a change a `p` of at most `max_p`.
//!
//! Only ranks are compared, so that a value that is far off counts no more than any other. Of all places to cut, the one
//! counts where the ranks before and after differ most, in units of what they would differ by chance; `p` is how often
//! [`SHUFFLES`] shuffles of the same values reach that anywhere. So no distribution is assumed, but that the values do
//! not depend on each other. A change is then moved to where the sum of the distances from the medians on both sides is
//! least, and both sides are searched again.
//!
//! # Source
//! The scan of ranks: Pettitt, A non-parametric approach to the change-point problem (1979), each place weighed by its
//! variance. Shuffles and the search of both sides: Matteson and James, A nonparametric approach for multiple change
//! point analysis of multivariate data (2014).

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Float64Array, Int64Array, StructArray};
use arrow::datatypes::{DataType, Field, FieldRef, Fields, Float64Type, Int64Type};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::function::{PartitionEvaluatorArgs, WindowUDFFieldArgs};
use datafusion::logical_expr::{PartitionEvaluator, Signature, Volatility, WindowUDFImpl};

/// With the values themselves a thousand, so that `p` is told in thousandths.
const SHUFFLES: u32 = 999;

/// Times that a change is moved; two are nearly always enough.
const MOVES: usize = 8;

/// The window function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct ChangePoint {
    signature: Signature,
}

impl ChangePoint {
    pub(crate) fn new() -> Self {
        let arguments = vec![DataType::Float64, DataType::Float64, DataType::Int64];
        Self { signature: Signature::exact(arguments, Volatility::Immutable) }
    }
}

fn fields() -> Fields {
    Fields::from(vec![Field::new("segment", DataType::Int64, true), Field::new("p", DataType::Float64, true)])
}

impl WindowUDFImpl for ChangePoint {
    fn name(&self) -> &'static str {
        "change_point"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn partition_evaluator(&self, _: PartitionEvaluatorArgs<'_>) -> Result<Box<dyn PartitionEvaluator>> {
        Ok(Box::new(Series))
    }

    fn field(&self, arguments: WindowUDFFieldArgs<'_>) -> Result<FieldRef> {
        Ok(Arc::new(Field::new(arguments.name(), DataType::Struct(fields()), true)))
    }
}

/// Evaluates one series.
#[derive(Debug)]
struct Series;

impl PartitionEvaluator for Series {
    fn evaluate_all(&mut self, arguments: &[ArrayRef], rows: usize) -> Result<ArrayRef> {
        let values = arguments[0].as_primitive::<Float64Type>();
        let (max_p, least) = (arguments[1].as_primitive::<Float64Type>(), arguments[2].as_primitive::<Int64Type>());
        let Some(first) = (0..rows).next() else { return Ok(Arc::new(StructArray::new_null(fields(), 0))) };
        if max_p.is_null(first) || !(0.0..=1.0).contains(&max_p.value(first)) {
            return plan_err!("change_point: the maximum p must be a number from 0 to 1");
        }
        let Some(least) = usize::try_from(least.value(first)).ok().filter(|least| *least > 0) else {
            return plan_err!("change_point: a segment must have at least 1 value");
        };
        let known: Vec<usize> =
            (0..rows).filter(|row| values.is_valid(*row) && values.value(*row).is_finite()).collect();
        let series: Vec<f64> = known.iter().map(|row| values.value(*row)).collect();
        let mut segment: Vec<Option<i64>> = vec![None; rows];
        let mut p: Vec<Option<f64>> = vec![None; rows];
        let mut cuts = cuts(&series, max_p.value(first), least).into_iter().peekable();
        let mut number = 0;
        for (place, row) in known.into_iter().enumerate() {
            if let Some((_, chance)) = cuts.next_if(|(cut, _)| *cut == place) {
                number += 1;
                p[row] = Some(chance);
            }
            segment[row] = Some(number);
        }
        let columns: Vec<ArrayRef> = vec![Arc::new(Int64Array::from(segment)), Arc::new(Float64Array::from(p))];
        Ok(Arc::new(StructArray::new(fields(), columns, None)))
    }
}

/// The first places of all segments but the first, in order, each with its `p`.
fn cuts(values: &[f64], max_p: f64, least: usize) -> Vec<(usize, f64)> {
    let mut found = Vec::new();
    let mut open = vec![(0, values.len())];
    while let Some((from, to)) = open.pop() {
        if let Some((place, p)) = cut(&values[from..to], max_p, least) {
            found.push((from + place, p));
            open.extend([(from, from + place), (from + place, to)]);
        }
    }
    found.sort_unstable_by_key(|(place, _)| *place);
    found
}

/// The first place behind the clearest change, if chance makes such a one rarely enough.
fn cut(values: &[f64], max_p: f64, least: usize) -> Option<(usize, f64)> {
    if values.len() < 2 * least {
        return None;
    }
    let mut ranks = centered_ranks(values);
    let (place, observed) = clearest(&ranks, least);
    if observed <= 0.0 {
        return None;
    }
    let mut chance = Chance(values.len() as u64);
    let mut reached = 1_u32;
    for _ in 0..SHUFFLES {
        chance.shuffle(&mut ranks);
        // Sums in another order differ in their last digits.
        if clearest(&ranks, least).1 >= observed * (1.0 - 1e-9) {
            reached += 1;
            if f64::from(reached) > max_p * f64::from(SHUFFLES + 1) {
                return None;
            }
        }
    }
    let p = f64::from(reached) / f64::from(SHUFFLES + 1);
    (p <= max_p).then(|| (moved(values, place, least), p))
}

/// Ranks from which their mean is taken; equal values share theirs.
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

/// Where the sums of ranks before and after differ most for their variance, and by how much.
fn clearest(ranks: &[f64], least: usize) -> (usize, f64) {
    let n = ranks.len();
    let (mut sum, mut best) = (0.0_f64, (least, 0.0_f64));
    for (index, rank) in ranks.iter().enumerate().take(n - least) {
        sum += rank;
        let place = index + 1;
        // Squares: a root for each place would be half of the time.
        let found = sum * sum / (place as f64 * (n - place) as f64);
        if place >= least && found > best.1 {
            best = (place, found);
        }
    }
    best
}

/// The place at which the distances from the medians of both sides add up to least.
fn moved(values: &[f64], mut place: usize, least: usize) -> usize {
    for _ in 0..MOVES {
        let (before, after) = (median(&values[..place]), median(&values[place..]));
        let (mut sum, mut best) = (0.0, (place, f64::INFINITY));
        for (index, value) in values.iter().enumerate().take(values.len() - least) {
            sum += (value - before).abs() - (value - after).abs();
            if index + 1 >= least && sum < best.1 {
                best = (index + 1, sum);
            }
        }
        if best.0 == place {
            break;
        }
        place = best.0;
    }
    place
}

/// The middle value; of two the upper one, which is as good where distances are added up.
fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// Numbers without an order that anybody sees, the same at every call: SplitMix64.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        #[expect(clippy::cast_possible_truncation, reason = "less than n")]
        let place = ((u128::from(mixed) * n as u128) >> 64) as usize;
        place
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

    /// About normal: the sum of twelve even numbers from -0.5 to 0.5.
    fn noise(seed: u64, n: usize) -> Vec<f64> {
        let mut chance = Chance(seed << 32);
        let even = |chance: &mut Chance| chance.below(1 << 30) as f64 / f64::from(1 << 30) - 0.5;
        (0..n).map(|_| (0..12).map(|_| even(&mut chance)).sum()).collect()
    }

    #[test]
    fn noise_alone_is_no_change() {
        let alarms = (0..100).filter(|seed| !cuts(&noise(*seed, 60), 0.01, 5).is_empty()).count();
        assert!(alarms <= 5, "{alarms} of 100");
    }

    #[test]
    fn a_shift_of_five_times_the_noise_is_found_where_it_is() {
        for at in [8, 30, 53] {
            let found = |seed: &u64| {
                let mut values: Vec<f64> = noise(*seed, 60).into_iter().map(|noise| 100.0 + noise).collect();
                values[at..].iter_mut().for_each(|value| *value += 5.0);
                matches!(cuts(&values, 0.01, 5)[..], [(place, _)] if place.abs_diff(at) <= 1)
            };
            let right = (0..100).filter(found).count();
            assert!(right >= 95, "at {at}: {right} of 100");
        }
    }

    #[test]
    fn several_changes_are_found_and_one_value_far_off_is_none() {
        let level = |place: usize| [10.0, 12.0, 9.0][place / 20];
        let mut values: Vec<f64> = (0..60).map(|place| level(place) + (place % 3) as f64 / 10.0).collect();
        values[7] = 1e6;
        let places: Vec<usize> = cuts(&values, 0.01, 5).into_iter().map(|(place, _)| place).collect();
        assert_eq!(places, [20, 40]);
    }

    #[test]
    fn few_or_equal_values_do_not_change() {
        assert_eq!(cuts(&[], 1.0, 1), []);
        assert_eq!(cuts(&[1.0; 50], 1.0, 1), []);
        assert_eq!(cuts(&[1.0, 1.0, 1.0, 1.0, 9.0, 9.0, 9.0, 9.0], 0.01, 5), []);
        // With nothing asked of chance, two values are a change.
        assert_eq!(cuts(&[1.0, 2.0], 1.0, 1), [(1, 1.0)]);
    }

    #[test]
    fn equal_values_share_their_rank() {
        assert_eq!(centered_ranks(&[3.0, 1.0, 3.0, 2.0]), [1.0, -1.5, 1.0, -0.5]);
    }
}
