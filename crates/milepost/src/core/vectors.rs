//! Running with the widest vector instructions that the machine has, however the program was compiled.

use pulp::WithSimd;
use std::sync::OnceLock;

/// Evaluates an expression compiled for the widest vector instructions that this machine has. The functions that it calls
/// must be inlined into it to profit. Asking the machine happens once; after that it costs a few nanoseconds.
macro_rules! vectorized {
    ($work:expr) => {{
        let once = $crate::core::vectors::Once;
        $crate::core::vectors::with_vectors(
            #[inline(always)]
            || {
                once.pass();
                $work
            },
        )
    }};
}

pub(crate) use vectorized;

/// A closure that uses this up can be called but once, and so is inlined where it is called. One that could be called
/// again would be called through a function that is made for it, which is not, and stays without vectors.
#[derive(Debug)]
pub(crate) struct Once;

impl Once {
    #[inline(always)]
    pub(crate) fn pass(self) {}
}

/// Runs something that names vector instructions itself, or what [`vectorized`] makes.
#[inline]
pub(crate) fn with_vectors<W: WithSimd>(work: W) -> W::Output {
    static MACHINE: OnceLock<pulp::Arch> = OnceLock::new();
    MACHINE.get_or_init(pulp::Arch::new).dispatch(work)
}
