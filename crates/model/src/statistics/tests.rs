//! Intervals against what is known about generated runs.

use super::*;

/// Numbers that a seed decides: SplitMix64 and the method of Box and Muller.
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * (1.0 - self.uniform()).ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// Durations of the steps of a run, in ns.
    fn run(&mut self, steps: usize, factor: f64, between: f64) -> Vec<f64> {
        let level = 1e8 * factor * (between * self.normal()).exp();
        (0..steps).map(|_| level * (0.02 * self.normal()).exp()).collect()
    }
}

/// In how many of 1,000 comparisons the interval holds the true ratio.
fn held(runs: (usize, usize), between: f64, noise: f64, statistic: Statistic) -> usize {
    let mut random = Random(7);
    let mut group = |n: usize, factor: f64| (0..n).map(|_| random.run(200, factor, between)).collect::<Vec<_>>();
    let mut held = 0;
    for _ in 0..1000 {
        let (a, b) = (group(runs.0, 1.0), group(runs.1, 1.1));
        let found = difference(&a, &b, statistic, noise, CONFIDENCE);
        held += usize::from(found.low.unwrap() <= 1.1 && 1.1 <= found.high.unwrap());
    }
    held
}

#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    for statistic in [Statistic::Percentile(0.5), Statistic::Percentile(0.95), Statistic::Mean] {
        // Nothing between runs, and nothing assumed: the values within a run are all there is.
        let within = held((1, 1), 0.0, 0.0, statistic);
        assert!((940..=985).contains(&within), "{statistic}: {within}");
        // As much between runs as is assumed: wider than need be, for it may have been more.
        let alone = held((1, 1), 0.005, NOISE, statistic);
        assert!(alone >= 975, "{statistic}: {alone}");
        // Four times as much: one run a side cannot know it, several can.
        let unknown = held((1, 1), 0.02, NOISE, statistic);
        assert!(unknown < 700, "{statistic}: {unknown}");
        let measured = held((10, 1), 0.02, NOISE, statistic);
        assert!((890..=985).contains(&measured), "{statistic}: {measured}");
        let many = held((10, 10), 0.02, NOISE, statistic);
        assert!((920..=985).contains(&many), "{statistic}: {many}");
    }
}

#[test]
fn order_of_values_and_runs_does_not_matter() {
    let mut random = Random(1);
    let (x, y, z) = (random.run(50, 1.0, 0.01), random.run(50, 1.0, 0.01), random.run(70, 1.02, 0.01));
    let backwards = |run: &Vec<f64>| run.iter().rev().copied().collect::<Vec<f64>>();
    let median = Statistic::Percentile(0.5);
    let one = difference(&[x.clone(), y.clone()], std::slice::from_ref(&z), median, NOISE, CONFIDENCE);
    let other = difference(&[backwards(&y), backwards(&x)], &[backwards(&z)], median, NOISE, CONFIDENCE);
    assert!((one.low.unwrap() - other.low.unwrap()).abs() < 1e-12);
    assert!((one.high.unwrap() - other.high.unwrap()).abs() < 1e-12);
}

#[test]
fn what_is_not_known_is_none() {
    let few =
        |values: &[f64]| difference(&[values.to_vec()], &[vec![2.0]], Statistic::Percentile(0.5), NOISE, CONFIDENCE);
    assert_eq!(few(&[]), Difference { b: Some(2.0), ..Difference::default() });
    assert_eq!(few(&[f64::NAN]).a, None);
    let found = few(&[1.0]);
    assert_eq!((found.ratio, found.low, found.high, found.significant()), (Some(2.0), None, None, None));
    // A zero has no logarithm.
    let zero = difference(&[vec![0.0]], &[vec![2.0]], Statistic::Sum, NOISE, CONFIDENCE);
    assert_eq!((zero.a, zero.b, zero.ratio, zero.significant()), (Some(0.0), Some(2.0), None, None));
}

#[test]
fn single_values_differ_by_more_than_the_noise_or_not() {
    // t(4) = 2.77645, times 0.005 and the root of 2: 1.9632 %
    let sums = |b: f64| difference(&[vec![100.0]], &[vec![b]], Statistic::Sum, 0.005, 0.95);
    assert!((sums(100.0).high.unwrap() - 0.019_632_f64.exp()).abs() < 1e-6);
    assert_eq!(sums(101.9).significant(), Some(false));
    assert_eq!(sums(102.1).significant(), Some(true));
    assert_eq!(sums(98.0).significant(), Some(true));
}
