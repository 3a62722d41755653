//! An executor of Ballista that knows the functions of Counterpoint.

use clap::Parser;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::process::ExitCode;

/// Execute queries of `counterpoint query --ballista` for a scheduler (`counterpoint-scheduler`).
#[derive(Parser)]
#[command(version)]
struct Args {
    /// Work for the scheduler at this address
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050", value_parser = address)]
    scheduler: (String, u16),
    /// Listen at this address and at the port after it; the network must be trusted, because nobody is asked who they are
    #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:50060")]
    listen: SocketAddr,
    /// Work with this many threads; by default one for each CPU
    #[arg(long, value_name = "NUMBER")]
    threads: Option<usize>,
}

fn address(text: &str) -> Result<(String, u16), String> {
    let parts = text.rsplit_once(':').and_then(|(host, port)| Some((host, port.parse().ok()?)));
    let (host, port) = parts.ok_or("write a host and a port, such as node1:50050")?;
    Ok((host.to_string(), port))
}

#[tokio::main]
async fn main() -> ExitCode {
    let args = Args::parse();
    let cpus = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.unwrap_or_else(cpus);
    let (host, port) = &args.scheduler;
    let _ = writeln!(
        io::stderr(),
        "counterpoint-executor: listens at {} and works for {host}:{port} with {threads} threads",
        args.listen
    );
    let run = counterpoint_datafusion::run_executor(args.listen, args.scheduler.clone(), threads);
    match run.await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "counterpoint-executor: {error}");
            ExitCode::from(2)
        }
    }
}
