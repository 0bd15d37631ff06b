//! Errors are sentences also where a program prints them for debugging: `fn main() -> Result<(), Box<dyn Error>>`, `unwrap` and
//! `expect` do.

/// Prints an error for debugging as it is printed for users.
macro_rules! debug_as_sentence {
    ($error:ty) => {
        impl std::fmt::Debug for $error {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, out)
            }
        }
    };
}

pub(crate) use debug_as_sentence;
