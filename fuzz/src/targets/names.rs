//! Whatever the text, the names of planners and agents and the weights of letters are read, or refused with an error.

use milepost::catalog;
use milepost_maps::Weights;

pub(super) fn check(text: &[u8]) {
    let Ok(text) = str::from_utf8(text) else { return };
    let _ = catalog::planner(text);
    let _ = catalog::agent(text);
    if let Ok(weights) = text.parse::<Weights>() {
        assert_eq!(weights.to_string().parse(), Ok(weights), "weights changed");
    }
}
