//! The optimal length that a scenario file lists, and how far it can be trusted.
//!
//! A file does not say how many digits it prints, and a comparison with a fixed tolerance is either blind or
//! cries wolf. Two styles exist: six significant digits without trailing zeros (`3.82843`, `116.77`,
//! `1005.74`, `7`), and a fixed number of decimals (`160.53`). `116.77` in the first style is known to half a
//! thousandth, in the second to half a hundredth, so a number alone does not tell; its file does.
//!
//! # The rule
//! Let D be the largest number of decimals in the file and N its largest number of significant digits, six at
//! the least. The last place of a length is the coarser of 10^-D and the place of its N-th significant digit.
//! A true length agrees with the listed one if they differ by no more than half a unit of that place, and a
//! fiftieth.
//!
//! With fixed decimals no N-th digit is coarser than 10^-D, so the rule gives exactly those decimals; with
//! six significant digits D is 5 or less and the rule gives the sixth digit. Exact integers need care: a file
//! that has no decimals at all lists lengths that are integers, not lengths rounded to integers, so D is then
//! taken as 5. D is never taken as more than 9: sums of doubles along a long path are not better than that.
//!
//! The fiftieth is there because the common benchmarks were evidently computed with a square root of two in
//! single precision, 1.41421354, so that a diagonal path comes out short by up to 1.72e-8 of its length.
//! Six digits hold less than 10^6 units of the last place, so this moves a length by less than 0.0172 units,
//! and some of them across the half: 9 + 48 diagonals are 76.882251, and the file says 76.8822.

use std::fmt;

/// Significant digits that every file is believed to have printed.
const MIN_DIGITS: i64 = 6;
/// Decimals that a file without any is believed to have had, all of them zero.
const DECIMALS_OF_INTEGERS: i64 = 5;
/// Decimals beyond these are noise.
const MAX_DECIMALS: i64 = 9;
/// Decimals that a length of our own is written with.
const OWN_DECIMALS: i16 = 8;

/// An optimal length as a file lists it: the value, and the decimal place down to which it was printed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ListedLength {
    /// Finite and not negative.
    value: f64,
    /// The last place that can be trusted, as a power of ten: -2 for hundredths.
    last_place: i16,
}

impl ListedLength {
    /// A length that was computed, not read: it is written with eight decimals.
    ///
    /// # Panics
    /// If the length is negative, infinite or not a number.
    pub fn computed(value: f64) -> Self {
        assert!(value.is_finite() && value >= 0.0, "{value} is not the length of a path");
        // Adding zero turns a negative zero into zero.
        ListedLength { value: value + 0.0, last_place: -OWN_DECIMALS }
    }

    /// The listed value.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// How far a true length may lie from the listed one: half a unit of the last place and a fiftieth, and a
    /// hair more where doubles are coarser than that.
    pub fn tolerance(&self) -> f64 {
        (0.5 + 0.02) * power_of_ten(self.last_place) + self.value * (8.0 * f64::EPSILON)
    }

    /// Whether the true length, printed as the file prints lengths, is the listed one.
    ///
    /// How a file prints lengths is found out from all of its lines: from the most decimals D and the most
    /// significant digits N (at least 6) that any of them has. The last place of this length is the coarser
    /// one of 10^-D and its N-th digit; the two agree within half a unit of it, and a fiftieth for the single
    /// precision of the programs that computed the common benchmarks. So `116.77` is known to thousandths
    /// among lengths like `3.82843`, and to hundredths among lengths like `160.53`. A file without any
    /// decimals lists exact integers.
    pub fn agrees_with(&self, true_length: f64) -> bool {
        (self.value - true_length).abs() <= self.tolerance()
    }
}

impl fmt::Display for ListedLength {
    /// Prints the length down to its last place, so that a file keeps its precision when it is written again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match usize::try_from(-self.last_place) {
            Ok(decimals) => write!(f, "{:.decimals$}", self.value),
            // The last place is left of the point: only the exponent form can say so.
            Err(_) => {
                let printed = format!("{:e}", self.value);
                let exponent: i16 =
                    printed.rsplit('e').next().and_then(|text| text.parse().ok()).unwrap_or(0);
                let decimals = usize::try_from(exponent - self.last_place).unwrap_or(0);
                write!(f, "{:.decimals$e}", self.value)
            }
        }
    }
}

/// A number as it stands in the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Printed {
    /// Finite and not negative.
    pub(super) value: f64,
    /// Digits after the point, less the exponent: the printed number is an integer times 10^-decimals.
    decimals: i64,
    /// Digits from the first that is not zero.
    digits: i64,
}

impl Printed {
    /// Reads digits with at most one point among them, and perhaps an exponent. Signs, names of infinity and
    /// numbers too large for a double are no lengths.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        let (number, exponent) = match text.iter().position(|byte| matches!(byte, b'e' | b'E')) {
            Some(at) => (&text[..at], exponent(&text[at + 1..])?),
            None => (text, 0),
        };
        let point = number.iter().position(|&byte| byte == b'.');
        let (before, after) = match point {
            Some(at) => (&number[..at], &number[at + 1..]),
            None => (number, &[][..]),
        };
        let mut all = before.iter().chain(after);
        if before.is_empty() || (point.is_some() && after.is_empty()) || !all.all(u8::is_ascii_digit) {
            return None;
        }
        let value: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
        let zeros = before.iter().chain(after).take_while(|digit| **digit == b'0').count();
        let digits = (before.len() + after.len() - zeros) as i64;
        let decimals = after.len() as i64 - exponent;
        value.is_finite().then_some(Printed { value, decimals, digits })
    }
}

/// An exponent; those beyond all doubles are not told apart.
fn exponent(text: &[u8]) -> Option<i64> {
    let digits = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let limit = i64::from(i32::MAX);
    let size = digits.iter().fold(0, |size: i64, digit| (size * 10 + i64::from(digit - b'0')).min(limit));
    Some(if text[0] == b'-' { -size } else { size })
}

/// How a whole file prints its lengths.
#[derive(Debug, Clone, Copy)]
pub(super) struct Precision {
    /// D of the rule, as far as seen.
    decimals: i64,
    /// N of the rule, as far as seen.
    digits: i64,
}

impl Precision {
    /// Before any length has been seen.
    pub(super) fn new() -> Self {
        Precision { decimals: 0, digits: MIN_DIGITS }
    }

    /// Takes note of one length of the file.
    pub(super) fn see(&mut self, printed: Printed) {
        self.decimals = self.decimals.max(printed.decimals);
        self.digits = self.digits.max(printed.digits);
    }

    /// The length with the last place that the rule gives. All lengths of the file must have been seen.
    pub(super) fn judge(&self, printed: Printed) -> ListedLength {
        let decimals = if self.decimals > 0 { self.decimals.min(MAX_DECIMALS) } else { DECIMALS_OF_INTEGERS };
        // The first digit that is not zero stands for 10^(digits - decimals - 1).
        let last_digit = printed.digits - printed.decimals - self.digits;
        let last_place = if printed.value == 0.0 { -decimals } else { last_digit.max(-decimals) };
        // A double that is finite and not zero has at most 309 digits before its point.
        ListedLength { value: printed.value, last_place: last_place.min(309) as i16 }
    }
}

/// Powers of ten without `powi`, whose last bits differ between machines.
fn power_of_ten(exponent: i16) -> f64 {
    let power = (0..exponent.unsigned_abs()).fold(1.0, |power, _| power * 10.0);
    if exponent < 0 { 1.0 / power } else { power }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIAGONAL: f64 = std::f64::consts::SQRT_2;

    /// The lengths of a file that prints these.
    fn file(printed: &[&str]) -> Vec<ListedLength> {
        let lengths: Vec<Printed> =
            printed.iter().map(|text| Printed::parse(text.as_bytes()).expect("a length")).collect();
        let mut precision = Precision::new();
        lengths.iter().for_each(|length| precision.see(*length));
        lengths.iter().map(|length| precision.judge(*length)).collect()
    }

    fn places(printed: &[&str]) -> Vec<i16> {
        file(printed).iter().map(|length| length.last_place).collect()
    }

    #[test]
    fn six_significant_digits_are_known_to_the_sixth() {
        assert_eq!(places(&["3.82843", "7", "62.1543", "116.77", "1005.74", "0"]), [-5, -5, -4, -3, -2, -5]);
        assert_eq!(places(&["999999", "1.23457e+06", "0.5", "2.41421"]), [0, 1, -5, -5]);
    }

    #[test]
    fn fixed_decimals_are_known_to_the_last() {
        assert_eq!(places(&["160.53", "72.14", "2.83", "1000.00", "0.00"]), [-2; 5]);
        assert_eq!(places(&["3.82842712", "1.00000000", "123456.78901234"]), [-8; 3]);
    }

    #[test]
    fn integers_are_exact_and_not_rounded() {
        let lengths = file(&["4787", "121", "4"]);
        assert!(lengths[0].agrees_with(4787.0) && !lengths[0].agrees_with(4787.4142));
        assert!(lengths[2].agrees_with(4.0) && !lengths[2].agrees_with(4.001));
    }

    #[test]
    fn decimals_with_their_trailing_zeros_dropped_are_known_to_the_most_printed() {
        assert_eq!(places(&["3.5", "1234.56789012", "7"]), [-8, -8, -8]);
    }

    #[test]
    fn more_than_nine_decimals_are_noise() {
        let lengths = file(&["3.8284271247461903", "1.0"]);
        assert_eq!(lengths[0].last_place, -9);
        assert!(lengths[0].agrees_with(1.0 + 2.0 * DIAGONAL));
    }

    #[test]
    fn agreement_is_half_a_unit_of_the_last_place() {
        let six = file(&["3.82843", "120.64", "1005.74"]);
        assert!(six[0].agrees_with(1.0 + 2.0 * DIAGONAL) && !six[0].agrees_with(3.828436));
        assert!(six[1].agrees_with(120.640_49) && !six[1].agrees_with(120.640_53));
        assert!(six[2].agrees_with(1005.7449) && !six[2].agrees_with(1005.746));
        let fixed = file(&["120.64", "2.83"]);
        assert!(fixed[0].agrees_with(120.6449) && !fixed[0].agrees_with(120.646));
        assert!(fixed[1].agrees_with(2.0 * DIAGONAL));
    }

    #[test]
    fn a_length_computed_with_a_root_of_two_in_single_precision_agrees() {
        let lengths = file(&["76.8822", "907.822", "658.764", "3.82843"]);
        assert!(lengths[0].agrees_with(9.0 + 48.0 * DIAGONAL));
        assert!(lengths[1].agrees_with(229.0 + 480.0 * DIAGONAL));
        assert!(lengths[2].agrees_with(523.0 + 96.0 * DIAGONAL));
    }

    #[test]
    fn our_own_lengths_survive_the_printing() {
        for value in [0.0, -0.0, 1.0, 1.0 + 2.0 * DIAGONAL, 123_456.0 + 7_890.0 * DIAGONAL] {
            let length = ListedLength::computed(value);
            let read = file(&[&length.to_string()])[0];
            assert_eq!(read.last_place, -8);
            assert!(read.agrees_with(value) && !read.agrees_with(value + 2e-8), "{length}");
        }
    }

    #[test]
    fn printing_keeps_the_precision() {
        for printed in
            [&["3.82843", "116.77", "1", "0"][..], &["160.53", "2.80"], &["4787"], &["1.23457e+06"]]
        {
            let lengths = file(printed);
            let again: Vec<String> = lengths.iter().map(ListedLength::to_string).collect();
            let again: Vec<&str> = again.iter().map(String::as_str).collect();
            assert_eq!(file(&again), lengths, "{again:?}");
        }
    }

    #[test]
    fn what_is_no_length_is_refused() {
        let bad =
            ["", ".", "1.", ".5", "-1", "+1", "nan", "NaN", "inf", "infinity", "1e", "1e+", "1e999", "1.2.3"];
        for text in
            bad.into_iter().chain(["0x10", "1,5", "1 2", "e5", "1_000", "--", "1e99999999999999999999"])
        {
            assert_eq!(Printed::parse(text.as_bytes()), None, "{text}");
        }
        assert!(Printed::parse(b"1e-99999999999").is_some_and(|tiny| tiny.value == 0.0));
        assert_eq!(Printed::parse(b"\xff"), None);
    }

    #[test]
    fn extreme_lengths_do_no_harm() {
        let long = format!("{}.{}", "9".repeat(300), "9".repeat(2000));
        let small = format!("0.{}1e1500", "0".repeat(1500));
        for text in [
            long.as_str(),
            small.as_str(),
            "1e308",
            "1e-300",
            "0e5",
            "0e99999999999",
            "0.0000000000000000000001",
        ] {
            let length = file(&[text])[0];
            assert!(length.agrees_with(length.value()) && length.tolerance().is_finite(), "{text}");
            assert!(!length.to_string().is_empty());
        }
    }
}
