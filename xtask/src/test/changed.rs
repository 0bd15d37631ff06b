//! Which crates a change has touched, by git: since the branch left `main`, or, on `main` itself, since the last commit;
//! files that are not committed count too.

use crate::shell::git;
use std::collections::BTreeSet;
use std::path::Path;

/// The packages of the workspace with a changed file, in order.
pub(super) fn packages(root: &Path) -> Result<Vec<String>, String> {
    let head = git(root, "rev-parse HEAD")?;
    let left_main = ["main", "origin/main"]
        .iter()
        .filter_map(|branch| git(root, &format!("merge-base HEAD {branch}")).ok())
        .find(|base| *base != head);
    let base = left_main.unwrap_or(head);
    let mut files = git(root, &format!("diff --name-only {base}"))?;
    files.push('\n');
    files += &git(root, "ls-files --others --exclude-standard")?;
    let members = members(root)?;
    let of = |file: &str| packages_of(file, &members);
    let found: BTreeSet<String> = files.lines().filter(|file| !file.is_empty()).flat_map(of).collect();
    Ok(found.into_iter().collect())
}

/// The members of the workspace: a crate is called as its folder.
fn members(root: &Path) -> Result<Vec<String>, String> {
    let manifest =
        std::fs::read_to_string(root.join("Cargo.toml")).map_err(|error| format!("Cargo.toml: {error}"))?;
    let list = manifest.lines().find_map(|line| line.strip_prefix("members = "));
    let list = list.ok_or("Cargo.toml: no `members = [...]` in one line")?;
    Ok(list.split('"').skip(1).step_by(2).map(str::to_owned).collect())
}

/// The packages that a file belongs to. Pages are tested by the command; what all crates share belongs to all of them.
fn packages_of(file: &str, members: &[String]) -> Vec<String> {
    let name = |member: &str| member.rsplit('/').next().unwrap_or(member).to_owned();
    if let Some(member) = members.iter().find(|member| file.starts_with(&format!("{member}/"))) {
        return vec![name(member)];
    }
    if ["Cargo.toml", "Cargo.lock"].contains(&file) {
        return members.iter().map(|member| name(member)).collect();
    }
    if file == "README.md" || file.starts_with("docs/") {
        return vec!["milepost-cli".to_owned()];
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_belongs_to_the_crate_whose_folder_it_is_in() {
        let members = ["crates/milepost", "crates/milepost-cli", "xtask"].map(str::to_owned);
        let of = |file: &str| packages_of(file, &members);
        assert_eq!(of("crates/milepost/src/plan/astar.rs"), ["milepost"]);
        assert_eq!(of("crates/milepost-cli/tests/it/main.rs"), ["milepost-cli"]);
        assert_eq!(of("xtask/src/main.rs"), ["xtask"]);
        assert_eq!(of("docs/json.md"), ["milepost-cli"]);
        assert_eq!(of("Cargo.lock"), ["milepost", "milepost-cli", "xtask"]);
        assert_eq!(of("fuzz/Cargo.toml"), [""; 0]);
    }
}
