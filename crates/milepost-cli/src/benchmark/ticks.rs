//! Where the ticks of a logarithmic axis stand: at round numbers, of the powers of ten or of the units of memory.

use std::ops::Range;

/// What numbers along an axis are round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Round {
    /// 1, 10, 100.
    Decimal,
    /// 1 KiB, 10 KiB, 100 KiB, 1 MiB.
    Memory,
}

/// An axis of at least so many decades has a tick a decade, a shorter one also at twice and five times that.
const LONG: f64 = 2.0;

impl Round {
    /// The ticks of an axis, at most so many.
    pub(super) fn ticks(self, axis: &Range<f64>, most: usize) -> Vec<f64> {
        let is_long = (axis.end / axis.start).log10() >= LONG;
        let steps: &[f64] = if is_long { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let ticks = self.decades().flat_map(|decade| steps.iter().map(move |step| step * decade));
        let ticks: Vec<f64> = ticks.filter(|tick| axis.contains(tick)).collect();
        let every = ticks.len().div_ceil(most.max(1)).max(1);
        ticks.into_iter().step_by(every).collect()
    }

    /// Round numbers, each about ten times the one before.
    fn decades(self) -> Box<dyn Iterator<Item = f64>> {
        match self {
            // Powers below one have no exact floats: a quotient prints as short as it is written.
            Round::Decimal => Box::new((-9..18).map(|power: i32| match power {
                0.. => 10_f64.powi(power),
                _ => 1.0 / 10_f64.powi(-power),
            })),
            Round::Memory => Box::new(
                (0..5).flat_map(|unit| [1.0, 10.0, 100.0].map(|decade| decade * 1024_f64.powi(unit))),
            ),
        }
    }
}

/// A number and its unit without the zeros behind the point: `1.00 MiB` as `1 MiB`.
pub(super) fn without_zeros(text: &str) -> String {
    match text.split_once(' ') {
        Some((number, unit)) if number.contains('.') => {
            format!("{} {unit}", number.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::{bytes, time};

    #[test]
    fn ticks_of_memory_are_round_in_its_units() {
        let labels = |axis: Range<f64>| -> Vec<String> {
            let ticks = Round::Memory.ticks(&axis, 6);
            ticks.iter().map(|tick| without_zeros(&bytes(*tick as usize))).collect()
        };
        assert_eq!(labels(3e3..5e6), ["10 KiB", "100 KiB", "1 MiB"]);
        assert_eq!(labels(30e3..500e3), ["50 KiB", "100 KiB", "200 KiB"]);
        assert_eq!(labels(1.0..1e10).first().map(String::as_str), Some("1 B"));
        assert!(labels(1.0..1e10).len() <= 6);
    }

    #[test]
    fn short_axes_have_ticks_at_one_two_and_five() {
        assert_eq!(Round::Decimal.ticks(&(0.004..0.3), 8), [0.005, 0.01, 0.02, 0.05, 0.1, 0.2]);
        assert_eq!(Round::Decimal.ticks(&(0.5..2e3), 8), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(without_zeros(&time(0.5)), "500 ns");
        assert_eq!(without_zeros(&time(20.0)), "20 µs");
        assert_eq!(without_zeros("1,000"), "1,000");
        // The narrowest axis of a plot spans a factor of eight.
        for least in [1e-3, 0.7, 3.0, 9.9, 1e6] {
            for round in [Round::Decimal, Round::Memory] {
                assert!(least < 1.0 || round.ticks(&(least..8.0 * least), 6).len() >= 2, "{round:?} {least}");
            }
        }
    }
}
