//! `index`: builds what some algorithms read, and tells how far it has come; or says what it would take.

use crate::fault::Fault;
use crate::listener::Listener;
use crate::maps::Map;
use crate::message::{Answer, Fields};
use milepost::Atlas;
use milepost::build::{BuildError, Indexes, add_index, estimate};
use milepost::index::IndexSpec;
use serde_json::json;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError};

/// How a build is left whose page has gone away: no builder asks whether it should go on.
struct Gone;

/// The index that a message names; the standard ones of the map if it names none.
pub(crate) fn named(map: &Map, fields: &Fields<'_>) -> Result<Vec<IndexSpec>, Fault> {
    match fields.text("index")? {
        None => Ok(Indexes::standard().on(map.space())),
        Some(text) => {
            let index = IndexSpec::from_text(&text);
            index.map(|index| vec![index]).map_err(|error| Fault::new(error, "choose an index from the list"))
        }
    }
}

/// What building takes: bytes, and seconds on this machine. Samples are timed by the machine's clock, which a browser has not.
pub(crate) fn estimated(map: &Map, indexes: &[IndexSpec]) -> Result<Answer, Fault> {
    if cfg!(target_arch = "wasm32") {
        return Err(Fault::new(
            "in a browser nothing can be said beforehand",
            "build it, or ask the command",
        ));
    }
    let (mut bytes, mut seconds) = (0, 0.0);
    for index in indexes.iter().flat_map(|index| index.with_needs()).filter(|index| !map.atlas().has(*index))
    {
        let estimate = estimate(map.atlas(), index).map_err(|error| refused(map.atlas(), &error))?;
        bytes += estimate.bytes;
        seconds += estimate.seconds;
    }
    Ok(Answer::new(json!({ "bytes": bytes, "seconds": seconds })))
}

/// The atlas with more indexes.
pub(crate) fn built(atlas: &Atlas, indexes: &[IndexSpec], listener: Listener<'_>) -> Result<Atlas, Fault> {
    let listener = Mutex::new(listener);
    let mut built = atlas.clone();
    for index in indexes.iter().flat_map(|index| index.with_needs()) {
        if built.has(index) {
            continue;
        }
        let what = index.to_string();
        let progress = |done: u64, total: u64| {
            let hears = listener.lock().unwrap_or_else(PoisonError::into_inner).hears(&what, done, total);
            // Every thread of the build finds it here.
            if !hears && cfg!(panic = "unwind") {
                resume_unwind(Box::new(Gone));
            }
        };
        let made = catch_unwind(AssertUnwindSafe(|| add_index(&built, index, &progress, None)));
        built = match made {
            Ok(made) => made.map_err(|error| refused(atlas, &error))?,
            Err(_) => return Err(Fault::new("the build was stopped", "ask for it again")),
        };
    }
    Ok(built)
}

fn refused(atlas: &Atlas, error: &BuildError) -> Fault {
    let others = error.alternatives(atlas);
    let names: Vec<&str> = others.iter().map(|kind| kind.name()).collect();
    let hint = match names.is_empty() {
        true => "choose another algorithm".to_owned(),
        false => format!("here one can build {}", names.join(", ")),
    };
    Fault::new(error, hint)
}
