//! The longest path through a graph of weighted edges, in time linear in nodes and edges.

/// An edge; nodes are numbers from 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) to: usize,
    /// Never below 0.
    pub(super) weight: i64,
}

/// The edges of the longest path from its first to its last, as places in `links`.
///
/// A path begins where no edge leads to, and ends with the last weight. Of paths of one length it is the one whose last node has the
/// least number; where several edges reach a node with one length, the one with the greatest weight, then from the greatest node.
/// So numbers should grow with time. An edge that would close a circle is as if it were not there.
pub(super) fn longest(nodes: usize, links: &[Link]) -> Vec<usize> {
    let edges = Leaving::new(nodes, links);
    let order = edges.order(links);
    let mut place = vec![0; nodes];
    for (at, node) in order.iter().enumerate() {
        place[*node] = at;
    }
    let mut length = vec![0_i64; nodes];
    let mut by: Vec<Option<usize>> = vec![None; nodes];
    for node in &order {
        for edge in edges.of(*node) {
            let Link { from, to, weight } = links[*edge];
            if place[from] >= place[to] {
                continue;
            }
            let new = (length[from].saturating_add(weight), weight, from);
            let better = by[to].is_none_or(|old: usize| new > (length[to], links[old].weight, links[old].from));
            if better {
                length[to] = new.0;
                by[to] = Some(*edge);
            }
        }
    }
    let mut last = (0..nodes).max_by_key(|node| (length[*node], std::cmp::Reverse(*node)));
    let mut path = Vec::new();
    while let Some(edge) = last.and_then(|node| by[node]) {
        path.push(edge);
        last = Some(links[edge].from);
    }
    path.reverse();
    path
}

/// The edges that leave each node.
struct Leaving {
    first: Vec<usize>,
    edges: Vec<usize>,
}

impl Leaving {
    fn new(nodes: usize, links: &[Link]) -> Self {
        let mut first = vec![0; nodes + 1];
        for link in links {
            first[link.from + 1] += 1;
        }
        for node in 0..nodes {
            first[node + 1] += first[node];
        }
        let mut next = first.clone();
        let mut edges = vec![0; links.len()];
        for (edge, link) in links.iter().enumerate() {
            edges[next[link.from]] = edge;
            next[link.from] += 1;
        }
        Self { first, edges }
    }

    fn of(&self, node: usize) -> &[usize] {
        &self.edges[self.first[node]..self.first[node + 1]]
    }

    /// The nodes such that each comes before those that its edges reach: depth first, without recursion, since a path is long.
    fn order(&self, links: &[Link]) -> Vec<usize> {
        let nodes = self.first.len() - 1;
        let mut seen = vec![false; nodes];
        let mut order = Vec::with_capacity(nodes);
        let mut open: Vec<(usize, usize)> = Vec::new();
        for start in 0..nodes {
            if seen[start] {
                continue;
            }
            seen[start] = true;
            open.push((start, 0));
            while let Some((node, tried)) = open.last_mut() {
                let Some(edge) = self.of(*node).get(*tried) else {
                    order.push(*node);
                    open.pop();
                    continue;
                };
                *tried += 1;
                let to = links[*edge].to;
                if !seen[to] {
                    seen[to] = true;
                    open.push((to, 0));
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

    use super::*;

    fn links(edges: &[(usize, usize, i64)]) -> Vec<Link> {
        edges.iter().map(|&(from, to, weight)| Link { from, to, weight }).collect()
    }

    #[test]
    fn the_longer_way_round_is_taken() {
        // 1 -> 2 -> 4 weighs 5, 1 -> 3 -> 4 weighs 6; what weighs nothing leads to the path, and not on from it
        let edges = links(&[(1, 2, 4), (2, 4, 1), (1, 3, 1), (3, 4, 5), (4, 5, 0), (0, 1, 0)]);
        assert_eq!(longest(6, &edges), [5, 2, 3]);
        assert!(longest(3, &[]).is_empty());
        assert!(longest(0, &[]).is_empty());
    }

    #[test]
    fn a_circle_is_opened() {
        let edges = links(&[(0, 1, 1), (1, 2, 1), (2, 0, 1), (2, 3, 1)]);
        assert_eq!(longest(4, &edges), [0, 1, 3]);
    }

    /// The length of the longest path from a node, by trying all of them.
    fn tried(links: &[Link], from: usize) -> i64 {
        links.iter().filter(|link| link.from == from).map(|link| link.weight + tried(links, link.to)).max().unwrap_or(0)
    }

    proptest! {
        #[test]
        fn no_path_is_longer(drawn in proptest::collection::vec((0_usize..9, 1_usize..9, 0_i64..6), 0..16)) {
            let links: Vec<Link> =
                drawn.into_iter().map(|(from, more, weight)| Link { from, to: from + more, weight }).collect();
            let path = longest(18, &links);
            prop_assert!(path.windows(2).all(|two| links[two[0]].to == links[two[1]].from));
            let length: i64 = path.iter().map(|edge| links[*edge].weight).sum();
            prop_assert_eq!(length, (0..18).map(|node| tried(&links, node)).max().unwrap());
        }
    }
}
