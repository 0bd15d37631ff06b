//! Work on all threads: what is numbered is handed out in pieces to whichever thread is free, and answers come back in order.
//!
//! The threads are rayon's; without the feature `threads` there is one. Rayon's iterators are compiled anew for every closure,
//! some thousand lines each; here a closure is called through a pointer, once for each thread, and what is generic is a loop.
//! Which thread works out what differs from run to run; the answers, and which error is returned, do not.

use std::convert::Infallible;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Pieces for each thread: enough that none waits long for another at the end.
const PIECES: usize = 64;

/// The answers for all numbers below `count`, in order.
pub(crate) fn map<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    map_with(count, || (), |(), number| work(number))
}

/// The same; each thread makes itself room to work in, which it does not clear between two numbers.
pub(crate) fn map_with<R, T: Send>(
    count: usize,
    make_room: impl Fn() -> R + Sync,
    work: impl Fn(&mut R, usize) -> T + Sync,
) -> Vec<T> {
    let answers = try_map_with(count, make_room, |room, number| Ok::<T, Infallible>(work(room, number)));
    answers.unwrap_or_else(|never| match never {})
}

/// The same for work that may fail: the error of the least number that fails. Numbers after it may be left out.
pub(crate) fn try_map_with<R, T: Send, E: Send>(
    count: usize,
    make_room: impl Fn() -> R + Sync,
    work: impl Fn(&mut R, usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let turns = Turns::new(count);
    let parts: Mutex<Vec<Vec<T>>> = Mutex::new((0..turns.pieces()).map(|_| Vec::new()).collect());
    let failed: Mutex<Option<(usize, E)>> = Mutex::new(None);
    on_threads(turns.pieces(), &|| {
        let mut room = None;
        while let Some((piece, numbers)) = turns.next() {
            let room = room.get_or_insert_with(&make_room);
            let mut part = Vec::with_capacity(numbers.len());
            for number in numbers {
                match work(room, number) {
                    Ok(answer) => part.push(answer),
                    Err(error) => {
                        turns.stop();
                        // Pieces before this one are handed out already, and are gone through to their ends.
                        let mut failed = lock(&failed);
                        if failed.as_ref().is_none_or(|(before, _)| number < *before) {
                            *failed = Some((number, error));
                        }
                        return;
                    }
                }
            }
            lock(&parts)[piece] = part;
        }
    });
    if let Some((_, error)) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let mut answers = Vec::with_capacity(count);
    for mut part in parts.into_inner().unwrap_or_else(PoisonError::into_inner) {
        answers.append(&mut part);
    }
    Ok(answers)
}

/// Work that has no answers and may fail: the error of the least number that fails.
pub(crate) fn try_each<E: Send>(count: usize, work: impl Fn(usize) -> Result<(), E> + Sync) -> Result<(), E> {
    try_map_with(count, || (), |(), number| work(number)).map(drop)
}

/// The answers for the items of a list, in order.
pub(crate) fn map_list<I: Sync, T: Send>(list: &[I], work: impl Fn(&I) -> T + Sync) -> Vec<T> {
    map(list.len(), |number| work(&list[number]))
}

/// The same; each thread makes itself room to work in.
pub(crate) fn map_list_with<I: Sync, R, T: Send>(
    list: &[I],
    make_room: impl Fn() -> R + Sync,
    work: impl Fn(&mut R, &I) -> T + Sync,
) -> Vec<T> {
    map_with(list.len(), make_room, |room, number| work(room, &list[number]))
}

/// The answers for chunks of a list, in order.
pub(crate) fn map_chunks<I: Sync, T: Send>(
    list: &[I],
    length: usize,
    work: impl Fn(&[I]) -> T + Sync,
) -> Vec<T> {
    let chunk = |number: usize| &list[number * length..list.len().min((number + 1) * length)];
    map(list.len().div_ceil(length), |number| work(chunk(number)))
}

/// Fills a list chunk by chunk; each thread makes itself room to work in. The work is told the number of the chunk.
pub(crate) fn fill_chunks<I: Send, R>(
    list: &mut [I],
    length: usize,
    make_room: impl Fn() -> R + Sync,
    work: impl Fn(&mut R, usize, &mut [I]) + Sync,
) {
    let pieces = list.len().div_ceil(length);
    let chunks = Mutex::new(list.chunks_mut(length).enumerate());
    on_threads(pieces, &|| {
        let mut room = None;
        loop {
            let Some((number, chunk)) = lock(&chunks).next() else { return };
            work(room.get_or_insert_with(&make_room), number, chunk);
        }
    });
}

/// Sorts on all threads.
pub(crate) fn sort<T: Ord + Send>(list: &mut [T]) {
    #[cfg(feature = "threads")]
    rayon::slice::ParallelSliceMut::par_sort_unstable(list);
    #[cfg(not(feature = "threads"))]
    list.sort_unstable();
}

/// Two pieces of work at once.
pub(crate) fn both<A: Send, B: Send>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    #[cfg(feature = "threads")]
    return rayon::join(first, second);
    #[cfg(not(feature = "threads"))]
    (first(), second())
}

/// Threads that there are.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "threads")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "threads"))]
    1
}

/// Does the work once on each thread, but on no more than there are pieces, and waits for all.
fn on_threads(pieces: usize, work: &(dyn Fn() + Sync)) {
    match threads().min(pieces) {
        #[cfg(feature = "threads")]
        threads @ 2.. => rayon::scope(|scope| (0..threads).for_each(|_| scope.spawn(|_| work()))),
        _ => work(),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The numbers below a count, handed out in pieces, the least first.
struct Turns {
    count: usize,
    length: usize,
    next: AtomicUsize,
    is_over: AtomicBool,
}

impl Turns {
    fn new(count: usize) -> Turns {
        let length = count.div_ceil(PIECES * threads()).max(1);
        Turns { count, length, next: AtomicUsize::new(0), is_over: AtomicBool::new(false) }
    }

    fn pieces(&self) -> usize {
        self.count.div_ceil(self.length)
    }

    /// The next piece: its number, and the numbers in it.
    fn next(&self) -> Option<(usize, Range<usize>)> {
        if self.is_over.load(Ordering::Relaxed) {
            return None;
        }
        let piece = self.next.fetch_add(1, Ordering::Relaxed);
        let first = piece * self.length;
        (first < self.count).then(|| (piece, first..self.count.min(first + self.length)))
    }

    /// Hands out no more.
    fn stop(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_stand_in_order_whatever_the_number_of_threads() {
        for threads in [1, 2, 3, 7] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            for count in [0, 1, 2, 63, 64, 65, 1000, 12_345] {
                let squares: Vec<usize> = (0..count).map(|number| number * number).collect();
                assert_eq!(pool.install(|| map(count, |number| number * number)), squares);
                let sums = squares.chunks(7).map(|chunk| chunk.iter().sum::<usize>()).collect::<Vec<_>>();
                assert_eq!(
                    pool.install(|| map_chunks(&squares, 7, |chunk| chunk.iter().sum::<usize>())),
                    sums
                );
                let mut filled = vec![0; count];
                let fill = |_: &mut (), number: usize, chunk: &mut [usize]| {
                    for (place, value) in chunk.iter_mut().enumerate() {
                        *value = (5 * number + place).pow(2);
                    }
                };
                pool.install(|| fill_chunks(&mut filled, 5, || (), fill));
                assert_eq!(filled, squares);
            }
        }
    }

    #[test]
    fn the_error_is_that_of_the_least_number_that_fails() {
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            for least in [0, 1, 500, 4999] {
                let work = |number: usize| if number % 5000 >= least { Err(number) } else { Ok(()) };
                assert_eq!(pool.install(|| try_each(20_000, work)), Err(least));
            }
        }
        assert_eq!(try_each(100, |_| Ok::<(), ()>(())), Ok(()));
    }

    #[test]
    fn each_thread_makes_itself_one_room_at_most() {
        let made = AtomicUsize::new(0);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads");
        let make = || made.fetch_add(1, Ordering::Relaxed);
        pool.install(|| map_with(10_000, make, |room, _| assert!(*room < 3)));
        assert!((1..=3).contains(&made.load(Ordering::Relaxed)));
    }
}
