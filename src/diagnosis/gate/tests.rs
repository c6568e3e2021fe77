//! Simulated runs: a gate passes the same code and fails slower code.

use super::*;
use crate::statistics::{CONFIDENCE, NOISE};

/// Pseudorandom numbers: a linear congruential generator, and the sum of twelve uniform numbers as a normal one.
struct NoiseGenerator(u64);

impl NoiseGenerator {
    fn normal(&mut self) -> f64 {
        let uniform = |state: &mut u64| {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*state >> 11) as f64 / (1_u64 << 53) as f64
        };
        (0..12).map(|_| uniform(&mut self.0)).sum::<f64>() - 6.0
    }

    /// Returns 200 step times of a run that takes `factor` times as long: 2 % noise per step, 0.5 % per run.
    fn run(&mut self, factor: f64) -> Vec<f64> {
        let level = 1e8 * factor * (0.005 * self.normal()).exp();
        (0..200).map(|_| level * (0.02 * self.normal()).exp()).collect()
    }
}

/// Returns for how many of 100 seeds a run that takes `factor` times as long passes the limit.
fn passes(limit: f64, factor: f64) -> usize {
    let passes = |seed: &u64| {
        let mut random = NoiseGenerator(*seed);
        let (before, after) = (random.run(1.0), random.run(factor));
        let difference = difference(&[before], &[after], Statistic::Percentile(0.5), NOISE, CONFIDENCE);
        judge(Limit::MaxRatio(limit), &difference, None).0 == GateOutcome::Pass
    };
    (0..100).filter(passes).count()
}

#[test]
fn the_same_code_passes_and_slower_code_does_not() {
    let same = passes(1.02, 1.0);
    assert!(same >= 95, "two runs of the same code pass in {same} of 100");
    let slower = passes(1.02, 1.05);
    assert!(slower <= 5, "5 % slower code passes in {slower} of 100");
}

#[test]
fn noise_does_not_exceed_even_a_limit_of_one() {
    let same = passes(1.0, 1.0);
    assert!(same >= 95, "two runs of the same code pass a limit of 1.0 in {same} of 100");
    // Without the interval, a limit of 1.0 fails in about half of the cases.
    let mut random = NoiseGenerator(3);
    let above = (0..100).filter(|_| random.run(1.0)[..100] > random.run(1.0)[..100]).count();
    assert!((30..=70).contains(&above), "a coin: {above}");
}
