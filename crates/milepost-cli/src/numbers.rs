//! Numbers as the text of an answer shows them.

/// `1234567` as `1,234,567`.
pub(crate) fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number and its noun, which takes an `s` where it must.
pub(crate) fn counted(value: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(value), if value == 1 { "" } else { "s" })
}

/// Microseconds with three digits and a unit.
pub(crate) fn time(microseconds: f64) -> String {
    let units = [(1e6, "s"), (1e3, "ms"), (1.0, "µs")];
    let (unit, name) = units.into_iter().find(|(unit, _)| microseconds >= *unit).unwrap_or((1e-3, "ns"));
    format!("{} {name}", three_digits(microseconds / unit))
}

/// Seconds with three digits and a unit.
pub(crate) fn seconds(value: f64) -> String {
    if value < 120.0 { time(value * 1e6) } else { format!("{} min", three_digits(value / 60.0)) }
}

/// Bytes with three digits and a unit.
pub(crate) fn bytes(value: usize) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.into_iter().find(|(unit, _)| value >= *unit) {
        Some((unit, name)) => format!("{} {name}", three_digits(value as f64 / unit as f64)),
        None => format!("{value} B"),
    }
}

/// A share in percent. Neither all nor none is said unless it is true.
pub(crate) fn percent(part: usize, whole: usize) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    let share = 100.0 * part as f64 / whole as f64;
    match (part == whole, share) {
        (true, _) => "100 %".to_owned(),
        (false, share) if share > 99.9 => "99.9 %".to_owned(),
        (false, share) if part > 0 && share < 0.1 => "0.1 %".to_owned(),
        (false, share) => format!("{share:.1} %"),
    }
}

/// With as many decimals as three digits leave room for.
pub(crate) fn three_digits(value: f64) -> String {
    match value {
        value if value < 9.995 => format!("{value:.2}"),
        value if value < 99.95 => format!("{value:.1}"),
        value => count(value.round() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_units_and_separators() {
        assert_eq!([count(7), count(1234), count(1_234_567)], ["7", "1,234", "1,234,567"]);
        assert_eq!([counted(1, "component"), counted(0, "component")], ["1 component", "0 components"]);
        assert_eq!([time(0.0), time(0.25), time(12.345)], ["0.00 ns", "250 ns", "12.3 µs"]);
        assert_eq!([time(99_950.0), time(2.5e6), time(7.2e9)], ["100 ms", "2.50 s", "7,200 s"]);
        assert_eq!([bytes(9), bytes(2048), bytes(5 << 20)], ["9 B", "2.00 KiB", "5.00 MiB"]);
    }

    #[test]
    fn nearly_all_is_not_all() {
        assert_eq!([percent(10, 10), percent(99_999, 100_000)], ["100 %", "99.9 %"]);
        assert_eq!([percent(0, 10), percent(1, 100_000), percent(0, 0)], ["0.0 %", "0.1 %", "-"]);
    }
}
