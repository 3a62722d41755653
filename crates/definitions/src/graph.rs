//! Which of some named values need which: the order in which they can be computed, and the cycles that prevent it.
//!
//! ```
//! use counterpoint_definitions::graph::Graph;
//!
//! // 0 needs 1 by its first operand; 1 and 2 need each other.
//! let graph = Graph::new(3, |node| vec![(0, [1, 2, 1][node])]);
//! let order = graph.order();
//! assert_eq!(order.nodes, [2, 1, 0]);
//! assert_eq!(order.cycles[0].nodes, [1, 2]);
//! assert_eq!(order.cycle_of, [None, Some(0), Some(0)]);
//! ```

/// The needs of values, which are numbered from 0.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Where the needs of each node begin, and where those of the last node end.
    starts: Vec<usize>,
    edges: Vec<Edge>,
}

/// A value that another one needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// By which of its operands, in the numbering of the caller.
    pub operand: usize,
    /// The node that is needed.
    pub needed: usize,
}

/// The order in which nodes can be computed.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Order {
    /// Every node, after all those that it needs but for those of its cycle.
    pub nodes: Vec<usize>,
    /// The cycles; a node is in the first one that it is found in.
    pub cycles: Vec<Cycle>,
    /// For each node the index of its cycle.
    pub cycle_of: Vec<Option<usize>>,
}

/// Nodes that need each other.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cycle {
    /// The nodes, each of which needs the next, and the last one the first.
    pub nodes: Vec<usize>,
    /// The operand by which the last node needs the first.
    pub closing: usize,
}

impl Graph {
    /// The graph of so many nodes; `needs` gives the operands of a node that are nodes, and which.
    pub fn new<N>(nodes: usize, mut needs: impl FnMut(usize) -> N) -> Graph
    where
        N: IntoIterator<Item = (usize, usize)>,
    {
        let mut graph = Graph { starts: Vec::with_capacity(nodes + 1), edges: Vec::new() };
        graph.starts.push(0);
        for node in 0..nodes {
            let edges = needs(node).into_iter().map(|(operand, needed)| Edge { operand, needed });
            graph.edges.extend(edges);
            graph.starts.push(graph.edges.len());
        }
        graph
    }

    /// What a node needs, in the order of its operands.
    pub fn needs(&self, node: usize) -> &[Edge] {
        &self.edges[self.starts[node]..self.starts[node + 1]]
    }

    /// The order in which the nodes can be computed; the way there is a list, not recursion.
    pub fn order(&self) -> Order {
        let count = self.starts.len().saturating_sub(1);
        let mut order = Order { cycle_of: vec![None; count], ..Order::default() };
        let mut states = vec![State::New; count];
        for root in 0..count {
            if states[root] != State::New {
                continue;
            }
            states[root] = State::Open;
            let mut path = vec![(root, 0)];
            while let Some((node, next)) = path.last_mut() {
                let (node, edge) = (*node, self.needs(*node).get(*next).copied());
                *next += 1;
                let Some(Edge { operand, needed }) = edge else {
                    path.pop();
                    states[node] = State::Done;
                    order.nodes.push(node);
                    continue;
                };
                match (states[needed], order.cycle_of[needed]) {
                    (State::New, _) => {
                        states[needed] = State::Open;
                        path.push((needed, 0));
                    }
                    (State::Done, _) => {}
                    // One more way round a cycle that is known.
                    (State::Open, Some(cycle)) => {
                        order.cycle_of[node].get_or_insert(cycle);
                    }
                    (State::Open, None) => {
                        let start = path.iter().position(|(n, _)| *n == needed).unwrap_or(0);
                        let nodes: Vec<usize> = path[start..].iter().map(|(n, _)| *n).collect();
                        for node in &nodes {
                            order.cycle_of[*node] = Some(order.cycles.len());
                        }
                        order.cycles.push(Cycle { nodes, closing: operand });
                    }
                }
            }
        }
        order
    }
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Open,
    Done,
}
