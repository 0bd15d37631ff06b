//! Running with the widest vector instructions that the machine has, however the program was compiled.

use std::sync::OnceLock;

/// Runs a function compiled for the widest vector instructions that this machine has. What it calls must be inlined
/// into it to profit. Asking the machine happens once; after that a call costs a few nanoseconds.
#[inline]
pub(crate) fn with_vectors<R>(work: impl FnOnce() -> R) -> R {
    static MACHINE: OnceLock<pulp::Arch> = OnceLock::new();
    MACHINE.get_or_init(pulp::Arch::new).dispatch(work)
}
