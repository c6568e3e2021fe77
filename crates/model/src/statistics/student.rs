//! Quantiles of Student's distribution.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// Degrees of freedom from which on the distribution is taken for the normal one: 1.962 for 1.960.
pub(super) const MANY: u32 = 1000;

/// How many standard errors to either side hold this share of the distribution.
///
/// # Source
/// The share within t is a finite sum for whole degrees of freedom: Abramowitz and Stegun, 26.7.3 and 26.7.4.
pub(super) fn student(share: f64, free: u32) -> f64 {
    let (mut low, mut high) = (0.0, FRAC_PI_2);
    // The share grows with the angle; 60 halvings leave less than a double can tell.
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if within(middle, free) < share { low = middle } else { high = middle }
    }
    low.tan() * f64::from(free).sqrt()
}

/// The share of the distribution within t, where `angle` is the arc tangent of t over the root of the degrees of freedom.
fn within(angle: f64, free: u32) -> f64 {
    let (sin, cos) = angle.sin_cos();
    let odd = free % 2 == 1;
    // Each term is the one before it times cos^2 and a fraction: 1/2, 3/4, ... for even and 2/3, 4/5, ... for odd ones.
    let mut term = if odd { cos } else { 1.0 };
    let mut sum = if free > 1 { term } else { 0.0 };
    let mut n = if odd { 2 } else { 1 };
    while n + 2 < free + u32::from(!odd) {
        term *= cos * cos * f64::from(n) / f64::from(n + 1);
        sum += term;
        n += 2;
    }
    if odd { FRAC_2_PI * (angle + sin * sum) } else { sin * sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (share, free, expected) in [
            (0.95, 1, 12.7062),
            (0.95, 2, 4.30265),
            (0.95, 3, 3.18245),
            (0.95, 4, 2.77645),
            (0.95, 5, 2.57058),
            (0.95, 10, 2.22814),
            (0.95, 13, 2.16037),
            (0.99, 7, 3.49948),
            (0.9, 30, 1.69726),
            (0.95, 1000, 1.96234),
        ] {
            let found = student(share, free);
            assert!((found - expected).abs() < 1e-4, "{share} {free}: {found}");
        }
    }
}
