//! Which known name may have been meant by one that is not known.

/// How alike two names must be, from 0 to 1.
const ALIKE: f64 = 0.7;
/// How alike two names are that one change apart: a letter more, less, another, or two that changed places.
const ONE_CHANGE: f64 = 0.75;
/// How alike two names are of which one is in the other, and the least letters that it must have.
const HELD: f64 = 0.8;
const LETTERS: usize = 4;

/// A question after the known name that, or whose title, is most like another, if one is like it. Known are pairs of a name and a
/// title, which may be the name once more.
///
/// ```
/// use milepost::catalog::did_you_mean;
///
/// let known = [("astar", "A*"), ("jps", "Jump point search")];
/// assert_eq!(did_you_mean("jsp", known), "; did you mean `jps`?");
/// assert_eq!(did_you_mean("A*", known), "; did you mean `astar`?");
/// assert_eq!(did_you_mean("simplex", known), "");
/// ```
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let asked = plain(name);
    let likeness = |known: &str| {
        let known = plain(known);
        let is_held = |short: &str, long: &str| short.len() >= LETTERS && long.contains(short);
        let held = if is_held(&asked, &known) || is_held(&known, &asked) { HELD } else { 0.0 };
        let changed = if strsim::osa_distance(&asked, &known) == 1 { ONE_CHANGE } else { 0.0 };
        strsim::jaro(&asked, &known).max(held).max(changed)
    };
    let alike = known.into_iter().map(|(known, title)| (likeness(known).max(likeness(title)), known));
    let alike = alike.filter(|(alike, _)| *alike > ALIKE);
    let nearest = alike.reduce(|best, next| if next.0 > best.0 { next } else { best });
    nearest.map_or(String::new(), |(_, known)| format!("; did you mean `{known}`?"))
}

/// A name as people say it: `A*`, `a-star` and `astar` are one.
fn plain(name: &str) -> String {
    let letters = name.replace('*', "star");
    letters.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>().to_lowercase()
}
