//! The program `counterpoint`.

fn main() -> std::process::ExitCode {
    counterpoint_cli::main()
}
