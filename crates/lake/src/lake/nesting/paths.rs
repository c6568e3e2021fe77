//! The tree of the paths of calls of a file.

use std::collections::HashMap;

use tracelake_model::call_stack::path_id;

use super::interval::Kind;
use super::interval_store::Names;

/// Maximum number of paths of a file. Longer paths that are found later count as the path around them.
const MAX_PATHS: usize = 1 << 18;

/// A path of calls.
#[derive(Debug)]
pub(super) struct CallPathNode {
    /// Number of its process.
    pub(super) process: u32,
    pub(super) parent: Option<u32>,
    pub(super) path_id: u64,
    pub(super) depth: u32,
    pub(super) kind: Kind,
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
#[derive(Debug, Default)]
pub(super) struct PathTree {
    pub(super) nodes: Vec<CallPathNode>,
    outermost: HashMap<(PathOrigin, u32), u32>,
    inner: HashMap<(u32, u32), u32>,
    /// Whether there are more paths than it may have.
    pub(super) is_full: bool,
}

impl PathTree {
    /// Returns the path that a call with this name adds to another one. None if there are too many.
    pub(super) fn child(
        &mut self,
        origin: PathOrigin,
        parent: Option<u32>,
        name: u32,
        kind: Kind,
        names: &Names,
    ) -> Option<u32> {
        let known = match parent {
            Some(parent) => self.inner.get(&(parent, name)),
            None => self.outermost.get(&(origin, name)),
        };
        if let Some(node) = known.copied() {
            // The same name may be that of an operator and of an annotation.
            let known = &mut self.nodes[node as usize];
            if kind.category() < known.kind.category() {
                known.kind = kind;
            }
            return Some(node);
        }
        if self.nodes.len() >= MAX_PATHS {
            self.is_full = true;
            return parent;
        }
        let around = parent.map(|parent| &self.nodes[parent as usize]);
        let node = CallPathNode {
            process: origin.0,
            parent,
            path_id: path_id(around.map(|around| around.path_id), names.hashes[name as usize]),
            depth: around.map_or(0, |around| around.depth + 1),
            kind,
            name,
            outermost: !self.has_name(parent, name),
            operator: if kind.is_operator() { Some(name) } else { around.and_then(|around| around.operator) },
            module: if kind.is_module() { Some(name) } else { around.and_then(|around| around.module) },
        };
        let number = u32::try_from(self.nodes.len()).ok()?;
        self.nodes.push(node);
        match parent {
            Some(parent) => self.inner.insert((parent, name), number),
            None => self.outermost.insert((origin, name), number),
        };
        Some(number)
    }

    /// Whether a path has a call with this name.
    fn has_name(&self, mut path: Option<u32>, name: u32) -> bool {
        while let Some(node) = path.map(|path| &self.nodes[path as usize]) {
            if node.name == name {
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
