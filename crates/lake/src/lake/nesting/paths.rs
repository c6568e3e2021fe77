//! The tree of the paths of calls of a file.

use std::collections::HashMap;

use super::interval::NestedCategory;

/// Number of paths of a file from which calls on further paths share a name, [`OTHER_NAMES`](super::interval_store::OTHER_NAMES).
const MAX_PATHS: usize = 1 << 20;

/// A path of calls.
#[derive(Debug)]
pub(super) struct CallPathNode {
    /// Number of its process.
    pub(super) process: u32,
    pub(super) parent: Option<u32>,
    pub(super) depth: u32,
    pub(super) category: NestedCategory,
    pub(super) name: u32,
    pub(super) outermost: bool,
    /// Name of the innermost operator.
    pub(super) operator: Option<u32>,
    /// Name of the innermost module.
    pub(super) module: Option<u32>,
}

/// Where a path begins: a process, and whether its calls are Python functions.
pub(super) type PathOrigin = (u32, bool);

/// The paths of a file, in the order in which they were found: a path comes after those that it begins with.
#[derive(Debug)]
pub(super) struct PathTree {
    pub(super) nodes: Vec<CallPathNode>,
    outermost: HashMap<(PathOrigin, u32, NestedCategory), u32>,
    inner: HashMap<(u32, u32, NestedCategory), u32>,
    /// Number of the name of calls on further paths.
    other_name: u32,
    /// Whether there are more paths than it may have.
    pub(super) is_full: bool,
}

impl PathTree {
    pub(super) fn new(other_name: u32) -> Self {
        let (nodes, outermost, inner) = (Vec::new(), HashMap::new(), HashMap::new());
        Self { nodes, outermost, inner, other_name, is_full: false }
    }

    /// Returns the path that a call with this name adds to another one.
    pub(super) fn child(
        &mut self,
        origin: PathOrigin,
        parent: Option<u32>,
        name: u32,
        category: NestedCategory,
    ) -> Option<u32> {
        let known = match parent {
            Some(parent) => self.inner.get(&(parent, name, category)),
            None => self.outermost.get(&(origin, name, category)),
        };
        if let Some(node) = known {
            return Some(*node);
        }
        if self.nodes.len() >= MAX_PATHS && name != self.other_name {
            self.is_full = true;
            // Calls inside a call with this name are on its path, so that the number of paths is limited.
            let is_other = parent.is_some_and(|parent| self.nodes[parent as usize].name == self.other_name);
            return if is_other { parent } else { self.child(origin, parent, self.other_name, category) };
        }
        let around = parent.map(|parent| &self.nodes[parent as usize]);
        let node = CallPathNode {
            process: origin.0,
            parent,
            depth: around.map_or(0, |around| around.depth + 1),
            category,
            name,
            outermost: !self.has_name(parent, name, category),
            operator: if category.is_operator() { Some(name) } else { around.and_then(|around| around.operator) },
            module: if category.is_module() { Some(name) } else { around.and_then(|around| around.module) },
        };
        let number = u32::try_from(self.nodes.len()).ok()?;
        self.nodes.push(node);
        match parent {
            Some(parent) => self.inner.insert((parent, name, category), number),
            None => self.outermost.insert((origin, name, category), number),
        };
        Some(number)
    }

    /// Whether a path has a call with this name. An annotation with the name of an operator is another call.
    fn has_name(&self, mut path: Option<u32>, name: u32, category: NestedCategory) -> bool {
        while let Some(node) = path.map(|path| &self.nodes[path as usize]) {
            if node.name == name && node.category.is_operator() == category.is_operator() {
                return true;
            }
            path = node.parent;
        }
        false
    }

    /// Returns for each path its place depth first, and the number of paths inside.
    pub(super) fn depth_first(&self) -> Vec<(u32, u32)> {
        let mut inside = vec![0_u32; self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate().rev() {
            if let Some(parent) = node.parent {
                inside[parent as usize] += inside[number] + 1;
            }
        }
        // The place of the next path inside each path.
        let mut next = vec![0_u32; self.nodes.len()];
        let mut next_outermost = 0;
        let mut places = Vec::with_capacity(self.nodes.len());
        for (number, node) in self.nodes.iter().enumerate() {
            let free = node.parent.map_or(&mut next_outermost, |parent| &mut next[parent as usize]);
            let place = *free;
            *free += inside[number] + 1;
            next[number] = place + 1;
            places.push((place, inside[number]));
        }
        places
    }
}
