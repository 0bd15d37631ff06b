//! What builders call of rayon, for a module that has one thread: everything is done one after the other, in order. Rayon itself
//! does the same there, with a tenth of the module's code.

/// One thread does everything.
pub fn current_num_threads() -> usize {
    1
}

/// Does one thing, then the other.
pub fn join<A, B>(one: impl FnOnce() -> A, other: impl FnOnce() -> B) -> (A, B) {
    let first = one();
    (first, other())
}

/// The traits that stand for those of rayon.
pub mod prelude {
    /// Iterators of collections, by value.
    pub trait IntoParallelIterator: IntoIterator + Sized {
        /// As `into_iter`.
        fn into_par_iter(self) -> Self::IntoIter {
            self.into_iter()
        }
    }

    impl<I: IntoIterator> IntoParallelIterator for I {}

    /// What rayon's iterators can do beside those of the standard library.
    pub trait ParallelIterator: Iterator + Sized {
        /// Lends a value that is made once to every call.
        fn map_init<T, R>(
            self,
            init: impl FnOnce() -> T,
            mut map: impl FnMut(&mut T, Self::Item) -> R,
        ) -> impl Iterator<Item = R> {
            let mut lent = init();
            self.map(move |item| map(&mut lent, item))
        }

        /// The same for what gives nothing back.
        fn for_each_init<T>(self, init: impl FnOnce() -> T, mut work: impl FnMut(&mut T, Self::Item)) {
            let mut lent = init();
            self.for_each(move |item| work(&mut lent, item));
        }

        /// As `flat_map`.
        fn flat_map_iter<U: IntoIterator>(
            self,
            map: impl FnMut(Self::Item) -> U,
        ) -> impl Iterator<Item = U::Item> {
            self.flat_map(map)
        }

        /// As `flatten`.
        fn flatten_iter(self) -> impl Iterator<Item = <Self::Item as IntoIterator>::Item>
        where
            Self::Item: IntoIterator,
        {
            self.flatten()
        }
    }

    impl<I: Iterator> ParallelIterator for I {}

    /// Iterators of slices.
    pub trait ParallelSlice<T> {
        /// As `iter`.
        fn par_iter(&self) -> std::slice::Iter<'_, T>;
        /// As `chunks`.
        fn par_chunks(&self, size: usize) -> std::slice::Chunks<'_, T>;
        /// As `chunks_mut`.
        fn par_chunks_mut(&mut self, size: usize) -> std::slice::ChunksMut<'_, T>;
        /// As `sort_unstable`.
        fn par_sort_unstable(&mut self)
        where
            T: Ord;
    }

    impl<T> ParallelSlice<T> for [T] {
        fn par_iter(&self) -> std::slice::Iter<'_, T> {
            self.iter()
        }

        fn par_chunks(&self, size: usize) -> std::slice::Chunks<'_, T> {
            self.chunks(size)
        }

        fn par_chunks_mut(&mut self, size: usize) -> std::slice::ChunksMut<'_, T> {
            self.chunks_mut(size)
        }

        fn par_sort_unstable(&mut self)
        where
            T: Ord,
        {
            self.sort_unstable();
        }
    }

    /// Lists that grow.
    pub trait ParallelExtend<T> {
        /// As `extend`.
        fn par_extend(&mut self, items: impl IntoIterator<Item = T>);
    }

    impl<T> ParallelExtend<T> for Vec<T> {
        fn par_extend(&mut self, items: impl IntoIterator<Item = T>) {
            self.extend(items);
        }
    }
}
