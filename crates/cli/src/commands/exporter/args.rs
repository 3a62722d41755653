use crate::definitions::DefinitionArgs;
use crate::vendor::VendorArgs;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  counterpoint exporter
  counterpoint exporter counterpoint.toml
  counterpoint exporter --otlp http://127.0.0.1:4318 counterpoint.toml

Exit status: 0 after SIGTERM, SIGINT or SIGHUP, 2 for a wrong configuration, or if the address cannot be listened on.")]
#[cfg_attr(not(feature = "exporter"), allow(dead_code, reason = "the command is refused"))]
pub struct ExporterArgs {
    /// Read from FILE what is counted, for whom, and where it is shown, as `counterpoint man exporter` describes; without FILE, the usual events of all CPUs are counted
    #[arg(value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Listen on this address, such as 127.0.0.1:19748, in place of that in FILE
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<String>,
    /// Send the values to a receiver of OTLP/HTTP at the end of each interval, too
    #[arg(long, value_name = "URL")]
    pub otlp: Option<String>,
    #[command(flatten)]
    pub definitions: DefinitionArgs,
    #[command(flatten)]
    pub vendor: VendorArgs,
}
