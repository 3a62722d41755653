//! Dependencies between named values: the order in which they can be computed, and the cycles that prevent it.
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

/// The dependencies between values, which are numbered from 0.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The places where the edges of each node begin, and where those of the last node end.
    starts: Vec<usize>,
    edges: Vec<Edge>,
}

/// A dependency of one value on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The operand that stands for the needed value, in the numbering of the caller.
    pub operand: usize,
    /// The node that is needed.
    pub needed: usize,
}

/// The order in which nodes can be computed.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Order {
    /// Every node, each after all nodes that it needs, except those of its own cycle.
    pub nodes: Vec<usize>,
    /// The cycles; a node belongs to the first one in which it is found.
    pub cycles: Vec<Cycle>,
    /// The index of the cycle of each node; `None` if it is not in a cycle.
    pub cycle_of: Vec<Option<usize>>,
}

/// Nodes that need each other.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cycle {
    /// The nodes: each needs the next one, and the last needs the first.
    pub nodes: Vec<usize>,
    /// The operand by which the last node needs the first.
    pub closing: usize,
}

impl Graph {
    /// Creates a graph of `nodes` nodes; `needs` returns the operands of a node that stand for nodes, with the node of each.
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

    /// The nodes that a node needs, in the order of its operands.
    pub fn needs(&self, node: usize) -> &[Edge] {
        &self.edges[self.starts[node]..self.starts[node + 1]]
    }

    /// The order in which the nodes can be computed; the walk is iterative, so that long chains cannot overflow the stack.
    pub fn order(&self) -> Order {
        let count = self.starts.len().saturating_sub(1);
        let mut order = Order { cycle_of: vec![None; count], ..Order::default() };
        let mut states = vec![State::New; count];
        for root in 0..count {
            if states[root] != State::New {
                continue;
            }
            states[root] = State::Open(0);
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
                match states[needed] {
                    State::New => {
                        states[needed] = State::Open(path.len());
                        path.push((needed, 0));
                    }
                    State::Open(start) => order.close(&path[start..], operand),
                    State::Done => {}
                }
            }
        }
        order
    }
}

impl Order {
    /// Takes up the cycle of a path whose last node needs its first one.
    ///
    /// A node is in one cycle only, so that all cycles together are no larger than the graph: a path that meets a known
    /// cycle joins it.
    fn close(&mut self, path: &[(usize, usize)], closing: usize) {
        let nodes = path.iter().map(|(node, _)| *node);
        let new: Vec<usize> = nodes.take_while(|node| self.cycle_of[*node].is_none()).collect();
        let known = path.get(new.len()).and_then(|(node, _)| self.cycle_of[*node]);
        let cycle = known.unwrap_or(self.cycles.len());
        for node in new.iter().chain(path.last().map(|(node, _)| node)) {
            self.cycle_of[*node].get_or_insert(cycle);
        }
        if known.is_none() {
            self.cycles.push(Cycle { nodes: new, closing });
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    /// On the path, at this position.
    Open(usize),
    Done,
}
