//! How many random cases a unit test looks at.

/// All of them, or a few where `MILEPOST_QUICK` asks for a quick answer.
pub(crate) fn rounds<T: TryFrom<u32>>(all: u32) -> T {
    let rounds = if std::env::var_os("MILEPOST_QUICK").is_some() { all.div_ceil(8) } else { all };
    T::try_from(rounds).ok().expect("a number that fits")
}
