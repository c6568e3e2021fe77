//! Intervals of generated runs with a known ratio.

use super::*;

/// A deterministic random generator: SplitMix64, and the method of Box and Muller.
struct NormalRandom(u64);

impl NormalRandom {
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

/// In how many of 1,000 comparisons the interval contains the true ratio.
fn count_covered(runs: (usize, usize), between: f64, noise: f64, statistic: Statistic) -> usize {
    let mut random = NormalRandom(7);
    let mut group = |n: usize, factor: f64| (0..n).map(|_| random.run(200, factor, between)).collect::<Vec<_>>();
    let mut covered = 0;
    for _ in 0..1000 {
        let (a, b) = (group(runs.0, 1.0), group(runs.1, 1.1));
        let result = difference(&a, &b, statistic, noise, CONFIDENCE);
        covered += usize::from(result.low.unwrap() <= 1.1 && 1.1 <= result.high.unwrap());
    }
    covered
}

#[test]
fn intervals_cover_the_true_ratio_at_their_confidence_level() {
    for statistic in [Statistic::Percentile(0.5), Statistic::Percentile(0.95), Statistic::Mean] {
        // No noise between runs and none assumed: only the values within a run scatter.
        let within = count_covered((1, 1), 0.0, 0.0, statistic);
        assert!((940..=985).contains(&within), "{statistic}: {within}");
        // As much noise between runs as assumed: the interval is wider than necessary, because the
        // noise could be larger.
        let alone = count_covered((1, 1), 0.005, NOISE, statistic);
        assert!(alone >= 975, "{statistic}: {alone}");
        // Four times the assumed noise: one run in each group cannot show it, several can.
        let unknown = count_covered((1, 1), 0.02, NOISE, statistic);
        assert!(unknown < 700, "{statistic}: {unknown}");
        let measured = count_covered((10, 1), 0.02, NOISE, statistic);
        assert!((890..=985).contains(&measured), "{statistic}: {measured}");
        let many = count_covered((10, 10), 0.02, NOISE, statistic);
        assert!((920..=985).contains(&many), "{statistic}: {many}");
    }
}

#[test]
fn order_of_values_and_runs_does_not_matter() {
    let mut random = NormalRandom(1);
    let (x, y, z) = (random.run(50, 1.0, 0.01), random.run(50, 1.0, 0.01), random.run(70, 1.02, 0.01));
    let backwards = |run: &Vec<f64>| run.iter().rev().copied().collect::<Vec<f64>>();
    let median = Statistic::Percentile(0.5);
    let one = difference(&[x.clone(), y.clone()], std::slice::from_ref(&z), median, NOISE, CONFIDENCE);
    let other = difference(&[backwards(&y), backwards(&x)], &[backwards(&z)], median, NOISE, CONFIDENCE);
    assert!((one.low.unwrap() - other.low.unwrap()).abs() < 1e-12);
    assert!((one.high.unwrap() - other.high.unwrap()).abs() < 1e-12);
}

#[test]
fn statistics_without_enough_data_are_none() {
    let few =
        |values: &[f64]| difference(&[values.to_vec()], &[vec![2.0]], Statistic::Percentile(0.5), NOISE, CONFIDENCE);
    assert_eq!(few(&[]), Difference { b: Some(2.0), ..Difference::default() });
    assert_eq!(few(&[f64::NAN]).a, None);
    let result = few(&[1.0]);
    assert_eq!((result.ratio, result.low, result.high, result.significant()), (Some(2.0), None, None, None));
    // A zero has no logarithm.
    let zero = difference(&[vec![0.0]], &[vec![2.0]], Statistic::Sum, NOISE, CONFIDENCE);
    assert_eq!((zero.a, zero.b, zero.ratio, zero.significant()), (Some(0.0), Some(2.0), None, None));
}

#[test]
fn single_values_are_compared_with_the_noise() {
    // t(4) = 2.77645, times 0.005 and the root of 2: 1.9632 %
    let sums = |b: f64| difference(&[vec![100.0]], &[vec![b]], Statistic::Sum, 0.005, 0.95);
    assert!((sums(100.0).high.unwrap() - 0.019_632_f64.exp()).abs() < 1e-6);
    assert_eq!(sums(101.9).significant(), Some(false));
    assert_eq!(sums(102.1).significant(), Some(true));
    assert_eq!(sums(98.0).significant(), Some(true));
}
