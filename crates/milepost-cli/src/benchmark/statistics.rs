//! Means, medians and percentiles. Of nothing there are none.

/// The values in increasing order.
pub(super) fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values
}

pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The middle of sorted values, or the mean of the two in the middle.
pub(super) fn median(sorted: &[f64]) -> Option<f64> {
    let upper = sorted.get(sorted.len() / 2)?;
    let lower = sorted[(sorted.len() - 1) / 2];
    Some((lower + upper) / 2.0)
}

/// The least value that at least `percent` of the sorted values do not exceed.
pub(super) fn percentile(sorted: &[f64], percent: usize) -> Option<f64> {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}

/// The standard deviation of these very values.
pub(super) fn deviation(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    Some((squares / values.len() as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_nothing_there_is_nothing() {
        assert_eq!([mean(&[]), median(&[]), percentile(&[], 99), deviation(&[])], [None; 4]);
    }

    #[test]
    fn few_values_have_the_statistics_one_expects() {
        let values = sorted([4.0, 1.0, 3.0, 2.0].into_iter());
        assert_eq!(values, [1.0, 2.0, 3.0, 4.0]);
        assert_eq!((mean(&values), median(&values), median(&values[..3])), (Some(2.5), Some(2.5), Some(2.0)));
        assert_eq!(
            [0, 25, 26, 50, 99, 100].map(|percent| percentile(&values, percent)),
            [1.0, 1.0, 2.0, 2.0, 4.0, 4.0].map(Some)
        );
        assert_eq!(deviation(&[1.0, 3.0]), Some(1.0));
    }
}
