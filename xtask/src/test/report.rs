//! The steps of `cargo xtask test` and what they came to.

use super::maps::Maps;
use crate::shell::Cargo;
use std::time::Instant;

/// How a step ended, if it did not fail.
pub(super) enum Outcome {
    Passed,
    /// And why.
    Skipped(String),
}

/// A step failed: nothing after it runs.
pub(super) struct Stopped {
    why: String,
}

struct Row {
    name: String,
    seconds: f64,
    remark: String,
}

/// The steps so far.
pub(super) struct Report {
    maps: Maps,
    rows: Vec<Row>,
    passed: usize,
    skipped: usize,
}

impl Report {
    pub(super) fn new(maps: Maps) -> Self {
        Report { maps, rows: Vec::new(), passed: 0, skipped: 0 }
    }

    /// Runs one step and writes down how it went.
    pub(super) fn step(
        &mut self,
        name: &str,
        work: impl FnOnce() -> Result<Outcome, String>,
    ) -> Result<(), Stopped> {
        println!("==> {name}");
        let start = Instant::now();
        let result = work();
        let remark = match &result {
            Ok(Outcome::Passed) => {
                self.passed += 1;
                "passed".to_owned()
            }
            Ok(Outcome::Skipped(why)) => {
                self.skipped += 1;
                println!("    skipped: {why}");
                format!("skipped: {why}")
            }
            Err(_) => "FAILED".to_owned(),
        };
        self.rows.push(Row { name: name.to_owned(), seconds: start.elapsed().as_secs_f64(), remark });
        result.map(|_| ()).map_err(|why| Stopped { why: format!("{name}: {why}") })
    }

    /// A step that is one call of cargo.
    pub(super) fn cargo(&mut self, name: &str, call: Cargo) -> Result<(), Stopped> {
        self.step(name, || call.run().map(|()| Outcome::Passed))
    }

    /// Prints the table and the last line; the error of a step that failed becomes the result.
    pub(super) fn print(&self, stopped: Option<Stopped>) -> Result<(), String> {
        println!();
        for row in &self.rows {
            println!("{:<24} {:>7.1} s  {}", row.name, row.seconds, row.remark);
        }
        println!();
        match stopped {
            Some(Stopped { why }) => Err(format!("{why}\ncargo xtask test: FAILED after {}", self.count())),
            None => {
                println!("cargo xtask test: {}", self.count());
                Ok(())
            }
        }
    }

    fn count(&self) -> String {
        let steps = if self.passed == 1 { "step" } else { "steps" };
        format!("{} {steps} passed, {} skipped{}", self.passed, self.skipped, self.maps.remark())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_counts_what_passed_and_what_was_skipped() {
        let mut report = Report::new(Maps::Given);
        assert!(report.step("a", || Ok(Outcome::Passed)).is_ok());
        assert!(report.step("b", || Ok(Outcome::Skipped("no tool".to_owned()))).is_ok());
        assert!(report.step("c", || Ok(Outcome::Passed)).is_ok());
        assert_eq!(report.count(), "2 steps passed, 1 skipped");
        assert!(report.print(None).is_ok());
    }

    #[test]
    fn a_failure_names_its_step() {
        let mut report = Report::new(Maps::Absent { tests: 3 });
        let stopped = report.step("clippy", || Err("it is unhappy".to_owned())).err();
        let message = report.print(stopped).expect_err("a step failed");
        assert_eq!(
            message,
            "clippy: it is unhappy\ncargo xtask test: FAILED after 0 steps passed, 0 skipped; \
             3 tests on real maps skipped (MILEPOST_MAPS is not set)"
        );
    }
}
