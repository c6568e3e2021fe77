//! The longest path through a graph of weighted edges, in time linear in nodes and edges.

use std::cmp::Reverse;

use super::edge::GraphEdge;

/// Returns the edges of the longest path in order, as indexes in `edges`.
///
/// A path starts at a node without incoming edges, and ends with an edge that has a weight. Among
/// paths of the same length, it is the one that ends at the node with the smallest number. Where
/// several edges reach a node with the same length, it takes the edge with the largest weight, then
/// the one from the node with the largest number. So numbers should grow with time. An edge that
/// closes a cycle is ignored.
pub(super) fn longest_path(nodes: usize, edges: &[GraphEdge]) -> Vec<usize> {
    let outgoing = OutgoingEdges::new(nodes, edges);
    let order = outgoing.topological_order(edges);
    let mut position = vec![0; nodes];
    for (index, node) in order.iter().enumerate() {
        position[*node] = index;
    }
    let mut length = vec![0_i64; nodes];
    let mut last_edge: Vec<Option<usize>> = vec![None; nodes];
    for node in &order {
        for edge in outgoing.edges_from(*node) {
            let GraphEdge { source, target, weight, .. } = edges[*edge];
            if position[source] >= position[target] {
                continue;
            }
            let candidate = (length[source].saturating_add(weight), weight, source);
            let best = last_edge[target].map(|best: usize| (length[target], edges[best].weight, edges[best].source));
            if Some(candidate) > best {
                length[target] = candidate.0;
                last_edge[target] = Some(*edge);
            }
        }
    }
    let mut last_node = (0..nodes).max_by_key(|node| (length[*node], Reverse(*node)));
    let mut path = Vec::new();
    while let Some(edge) = last_node.and_then(|node| last_edge[node]) {
        path.push(edge);
        last_node = Some(edges[edge].source);
    }
    path.reverse();
    path
}

/// The edges from each node, as indexes.
struct OutgoingEdges {
    /// For each node the position of its first edge in `edges`, then the number of edges.
    first: Vec<usize>,
    /// Indexes of all edges, by source node.
    edges: Vec<usize>,
}

impl OutgoingEdges {
    fn new(nodes: usize, edges: &[GraphEdge]) -> Self {
        let mut first = vec![0; nodes + 1];
        for edge in edges {
            first[edge.source + 1] += 1;
        }
        for node in 0..nodes {
            first[node + 1] += first[node];
        }
        let mut next = first.clone();
        let mut by_source = vec![0; edges.len()];
        for (index, edge) in edges.iter().enumerate() {
            by_source[next[edge.source]] = index;
            next[edge.source] += 1;
        }
        Self { first, edges: by_source }
    }

    fn edges_from(&self, node: usize) -> &[usize] {
        &self.edges[self.first[node]..self.first[node + 1]]
    }

    /// Orders the nodes so that each node comes before the targets of its edges, except where there
    /// is a cycle. It is a depth-first search without recursion, because a path can have very many
    /// nodes.
    fn topological_order(&self, edges: &[GraphEdge]) -> Vec<usize> {
        let nodes = self.first.len() - 1;
        let mut visited = vec![false; nodes];
        let mut order = Vec::with_capacity(nodes);
        // Nodes of the current path, with the number of edges that were followed.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for start in 0..nodes {
            if visited[start] {
                continue;
            }
            visited[start] = true;
            open.push((start, 0));
            while let Some((node, followed)) = open.last_mut() {
                let Some(edge) = self.edges_from(*node).get(*followed) else {
                    order.push(*node);
                    open.pop();
                    continue;
                };
                *followed += 1;
                let target = edges[*edge].target;
                if !visited[target] {
                    visited[target] = true;
                    open.push((target, 0));
                }
            }
        }
        order.reverse();
        order
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::edge::EdgeKind;
    use super::*;

    fn graph_edges(edges: &[(usize, usize, i64)]) -> Vec<GraphEdge> {
        edges
            .iter()
            .map(|&(source, target, weight)| GraphEdge { source, target, weight, kind: EdgeKind::Host, row: 0 })
            .collect()
    }

    #[test]
    fn the_longer_of_two_paths_is_found() {
        // The path 1 -> 2 -> 4 weighs 5, and 1 -> 3 -> 4 weighs 6. An edge without weight can start
        // a path and not end it.
        let edges = graph_edges(&[(1, 2, 4), (2, 4, 1), (1, 3, 1), (3, 4, 5), (4, 5, 0), (0, 1, 0)]);
        assert_eq!(longest_path(6, &edges), [5, 2, 3]);
        assert!(longest_path(3, &[]).is_empty());
        assert!(longest_path(0, &[]).is_empty());
    }

    #[test]
    fn an_edge_that_closes_a_cycle_is_ignored() {
        let edges = graph_edges(&[(0, 1, 1), (1, 2, 1), (2, 0, 1), (2, 3, 1)]);
        assert_eq!(longest_path(4, &edges), [0, 1, 3]);
    }

    /// The length of the longest path from a node, by trying all paths.
    fn max_length(edges: &[GraphEdge], source: usize) -> i64 {
        let lengths = edges.iter().filter(|edge| edge.source == source);
        lengths.map(|edge| edge.weight + max_length(edges, edge.target)).max().unwrap_or(0)
    }

    proptest! {
        #[test]
        fn no_path_is_longer(drawn in proptest::collection::vec((0_usize..9, 1_usize..9, 0_i64..6), 0..16)) {
            let edges: Vec<_> = drawn.into_iter().map(|(source, step, weight)| (source, source + step, weight)).collect();
            let edges = graph_edges(&edges);
            let path = longest_path(18, &edges);
            prop_assert!(path.windows(2).all(|pair| edges[pair[0]].target == edges[pair[1]].source));
            let length: i64 = path.iter().map(|edge| edges[*edge].weight).sum();
            prop_assert_eq!(length, (0..18).map(|node| max_length(&edges, node)).max().unwrap());
        }
    }
}
