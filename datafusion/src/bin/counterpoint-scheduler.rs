//! A scheduler of Ballista that knows the functions of Counterpoint.

use clap::Parser;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::process::ExitCode;

/// Schedule queries of `counterpoint query --ballista` on executors (`counterpoint-executor`).
#[derive(Parser)]
#[command(version)]
struct Args {
    /// Listen at this address; the network must be trusted, because nobody is asked who they are
    #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:50050")]
    listen: SocketAddr,
}

#[tokio::main]
async fn main() -> ExitCode {
    let args = Args::parse();
    let _ = writeln!(io::stderr(), "counterpoint-scheduler: listens at {}", args.listen);
    match counterpoint_datafusion::run_scheduler(args.listen).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "counterpoint-scheduler: {}: {error}", args.listen);
            ExitCode::from(2)
        }
    }
}
