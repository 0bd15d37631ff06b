//! Threads, and the scratch memory they share.

use crate::args::Globals;
use crate::failure::Failure;
use milepost::Scratch;
use std::sync::{Mutex, PoisonError};

/// Starts as many threads as the user asked for; to be called once, before work is shared out.
pub(crate) fn start_threads(globals: &Globals) -> Result<(), Failure> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(globals.threads as usize);
    threads.build_global().map_err(|error| {
        let message = format!("the threads cannot be started ({error}); ask for fewer with --threads");
        Failure::usage("threads", message)
    })
}

/// Scratches that are lent and come back: as many as there are threads, not as many as there are queries.
#[derive(Default)]
pub(crate) struct Scratches(Mutex<Vec<Scratch>>);

impl Scratches {
    /// Does something with a scratch.
    pub(crate) fn lend<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let mut scratch = self.lock().pop().unwrap_or_default();
        let result = work(&mut scratch);
        self.lock().push(scratch);
        result
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Scratch>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
