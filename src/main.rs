//! The command `tracelake`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(tracelake::cli::main(std::env::args_os()))
}
