//! Memory that is zero without being written to.

use zerocopy::FromZeros;

/// So many values whose bytes are zeros. Where there are many of them the system hands the memory out page by page, when
/// it is first touched: a search in it takes time for the states that it comes to, and not for those of the whole map.
pub(crate) fn zeroed<T: FromZeros>(count: usize) -> Vec<T> {
    T::new_vec_zeroed(count).unwrap_or_else(|_| panic!("no memory for {count} values"))
}
