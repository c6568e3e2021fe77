//! Sums of durations.

/// Returns the sum, or the largest number if it does not fit: a corrupt profile may have durations of centuries.
pub(crate) fn saturating_sum(values: impl IntoIterator<Item = i64>) -> i64 {
    values.into_iter().fold(0, i64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_that_does_not_fit_is_the_largest_number() {
        assert_eq!(saturating_sum([1, 2, -4]), -1);
        assert_eq!(saturating_sum([i64::MAX, 1]), i64::MAX);
    }
}
