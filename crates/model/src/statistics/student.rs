//! Quantiles of Student's t-distribution.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// Degrees of freedom from which the normal distribution is used: 1.962 for 1.960.
pub(super) const NORMAL_DEGREES: u32 = 1000;

/// Returns t so that this share of the distribution lies between -t and t.
///
/// # Source
/// For integer degrees of freedom the share is a finite sum: Abramowitz and Stegun, 26.7.3 and
/// 26.7.4.
pub(super) fn student_quantile(share: f64, degrees: u32) -> f64 {
    let (mut low, mut high) = (0.0, FRAC_PI_2);
    // The share grows with the angle. After 60 bisections the interval is below the precision of a
    // double.
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if share_within(middle, degrees) < share { low = middle } else { high = middle }
    }
    low.tan() * f64::from(degrees).sqrt()
}

/// Returns the share of the distribution between -t and t. `angle` is the arc tangent of t /
/// sqrt(degrees of freedom).
fn share_within(angle: f64, degrees: u32) -> f64 {
    let (sin, cos) = angle.sin_cos();
    let odd = degrees % 2 == 1;
    // Each term is the previous one times cos^2 and a fraction: 1/2, 3/4, ... for even degrees and
    // 2/3, 4/5, ... for odd ones.
    let mut term = if odd { cos } else { 1.0 };
    let mut sum = if degrees > 1 { term } else { 0.0 };
    let mut n = if odd { 2 } else { 1 };
    while n + 2 < degrees + u32::from(!odd) {
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
    fn quantiles_match_published_tables() {
        for (share, degrees, expected) in [
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
            let quantile = student_quantile(share, degrees);
            assert!((quantile - expected).abs() < 1e-4, "{share} {degrees}: {quantile}");
        }
    }
}
