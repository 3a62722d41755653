//! The placement of a row in words.

use counterpoint::RowPlacement;

pub fn place(place: RowPlacement) -> String {
    let name = match place {
        // The name of a cgroup, or of a thread, stands behind that of the event.
        RowPlacement::All | RowPlacement::Cgroup(_) => return String::new(),
        RowPlacement::Cpu(cpu) => format!("CPU{cpu}"),
        RowPlacement::Core { socket, core } => format!("S{socket}-C{core}"),
        RowPlacement::Cache { level, cpu } => format!("L{level}-ID{cpu}"),
        RowPlacement::Die { socket, die } => format!("S{socket}-D{die}"),
        RowPlacement::Socket(socket) => format!("S{socket}"),
        RowPlacement::Node(node) => format!("N{node}"),
        RowPlacement::Thread(thread) => format!("TID{thread}"),
    };
    format!(" {name:<10}")
}
