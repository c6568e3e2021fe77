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

/// Returns the number of seeds of 100 with each outcome, for a limit and a run that takes `factor` times as long.
fn outcomes(limit: f64, factor: f64) -> [usize; 3] {
    let outcome = |seed| {
        let mut random = NoiseGenerator(seed);
        let (before, after) = (random.run(1.0), random.run(factor));
        let difference = difference(&[before], &[after], Statistic::Percentile(0.5), NOISE, CONFIDENCE);
        judge(Limit::MaxRatio(limit), &difference, None).0
    };
    let outcomes: Vec<GateOutcome> = (0..100).map(outcome).collect();
    [GateOutcome::Pass, GateOutcome::Inconclusive, GateOutcome::Fail]
        .map(|kind| outcomes.iter().filter(|outcome| **outcome == kind).count())
}

#[test]
fn noise_does_not_fail_and_slower_code_does_not_pass() {
    // Limit, factor, and the numbers that pass, are inconclusive and fail. `docs/compare.md` has the table.
    let table = [(1.0, 1.0), (1.02, 1.0), (1.05, 1.0), (1.02, 1.05), (1.02, 1.2), (1.05, 1.2)];
    let table = table.map(|(limit, factor)| (limit, factor, outcomes(limit, factor)));
    for (limit, factor, [pass, _, fail]) in table {
        assert!(factor > 1.0 || fail <= 5, "the same code fails the limit {limit} in {fail} of 100");
        assert!(factor <= limit || pass <= 5, "code that takes {factor} times as long passes {limit} in {pass} of 100");
        assert!(factor < 1.2 || pass == 0, "20 % slower code passes");
    }
    assert_eq!(
        table.map(|(_, _, counts)| counts),
        [[0, 100, 0], [52, 48, 0], [100, 0, 0], [0, 15, 85], [0, 0, 100], [0, 0, 100]]
    );
}
