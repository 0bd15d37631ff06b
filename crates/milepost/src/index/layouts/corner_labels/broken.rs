//! The rules of the proof that look as if they could be dropped, so that tests can break each of them and see that the checks
//! find it. Outside tests nothing is broken.

/// A rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ProofRule {
    /// Before labels are compared, a corner of the start that the goal sees is looked for.
    Seen,
    /// A corner that ends a ray is listed if something forced lies on its own runs, too.
    RayEnd,
    /// An edge does not ask that a forced corner follows.
    Edges,
    /// A turn is forbidden only where it is strictly shortcut.
    Turns,
    /// Corners have lists like all cells.
    CornerCells,
    /// After more labels of the goal the first of the start is read again.
    ReadAgain,
    /// The first corner that a leg can touch is listed, not the one where the path turns.
    NearEnd,
    /// Only corners that touch the diagonal hide others.
    Dominance,
}

/// Which rule is broken, if one is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Broken {
    #[cfg(test)]
    rule: Option<ProofRule>,
}

impl Broken {
    /// All rules hold.
    pub(crate) const NONE: Broken = Broken {
        #[cfg(test)]
        rule: None,
    };

    #[cfg(test)]
    pub(crate) const fn breaking(rule: ProofRule) -> Broken {
        Broken { rule: Some(rule) }
    }

    /// Whether this rule is broken.
    #[inline(always)]
    pub(crate) fn breaks(self, _rule: ProofRule) -> bool {
        #[cfg(test)]
        return self.rule == Some(_rule);
        #[cfg(not(test))]
        false
    }
}
