//! The reference page of the command line, docs/cli.md, generated from the definitions that `--help` prints.

use std::fmt::Write as _;

use clap::{Arg, ArgAction, Command, CommandFactory};

use super::CliArgs;

/// The text before the commands, which is not in the definitions of clap.
const INTRODUCTION: &str = "\
Results go to stdout, progress and errors to stderr. Rows are a table on a terminal and CSV in a pipe; `--format` selects another format. An output
file gets its name when it is complete. An error message names the action that failed and its reason, and often has a hint what to do.

| exit code | meaning |
| --- | --- |
| 0 | success |
| 1 | a limit of the gate is not met, a finding is critical, or the lake has lost rows |
| 2 | wrong usage, an unknown name of a query, figure or column, or bad SQL |
| 3 | the input could not be read |
| 4 | the lake or the output could not be read or written |
| 5 | internal error: a bug |
| 6 | no limit of the gate fails, but some are inconclusive or have no data |
| 130 | interrupted |

`tracelake record` and `tracelake cluster` return the exit code of the program that they run.
";

/// Returns the page as Markdown: a section per command, in the order of `--help`, with a row per argument.
///
/// ```
/// let page = tracelake::cli::reference();
/// assert!(page.contains("\n## tracelake ingest\n"));
/// ```
pub fn reference() -> String {
    let mut command = CliArgs::command();
    command.build();
    let mut page =
        format!("# The command\n\n<!-- generated from src/cli/ by `make update`; do not edit -->\n\n{INTRODUCTION}");
    page.push_str("\n## For all commands\n");
    write_table(&mut page, command.get_arguments().filter(|argument| argument.is_global_set()));
    for sub in command.get_subcommands_mut() {
        write_section(&mut page, sub, 2);
    }
    page
}

fn write_section(page: &mut String, command: &mut Command, level: usize) {
    if command.is_hide_set() || command.get_name() == "help" {
        return;
    }
    let name = command.get_bin_name().unwrap_or_default().to_owned();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let usage = command.render_usage().to_string().replace("Usage: ", "");
    let usage: Vec<&str> = usage.lines().map(str::trim).collect();
    // Writing to a String cannot fail.
    let _ = write!(
        page,
        "\n{} {name}\n\n{}.\n\n```text\n{}\n```\n",
        "#".repeat(level),
        prose(about.trim_end_matches('.')),
        usage.join("\n")
    );
    write_table(page, command.get_arguments().filter(|argument| !argument.is_global_set()));
    for sub in command.get_subcommands_mut() {
        write_section(page, sub, level + 1);
    }
}

/// Writes a row per argument: positional arguments first, in the order of `--help`.
fn write_table<'a>(page: &mut String, arguments: impl Iterator<Item = &'a Arg>) {
    let is_shown = |argument: &&Arg| {
        !argument.is_hide_set() && !matches!(argument.get_action(), ArgAction::Help | ArgAction::Version)
    };
    let mut arguments: Vec<&Arg> = arguments.filter(is_shown).collect();
    arguments.sort_by_key(|argument| argument.get_index().unwrap_or(usize::MAX));
    if arguments.is_empty() {
        return;
    }
    page.push_str("\n| argument | |\n| --- | --- |\n");
    for argument in arguments {
        let help = argument.get_long_help().or(argument.get_help()).map(ToString::to_string).unwrap_or_default();
        let mut parts = vec![help.split_whitespace().collect::<Vec<_>>().join(" ")];
        let values: Vec<String> =
            argument.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect();
        if !values.is_empty() && argument.get_action().takes_values() {
            parts.push(format!("one of {}", values.join(", ")));
        }
        let defaults = argument.get_default_values().iter().map(|value| format!("`{}`", value.to_string_lossy()));
        let defaults: Vec<String> = defaults.collect();
        if !defaults.is_empty() && argument.get_action().takes_values() {
            parts.push(format!("default {}", defaults.join(", ")));
        }
        if let Some(variable) = argument.get_env() {
            parts.push(format!("else environment variable `{}`", variable.to_string_lossy()));
        }
        let _ = writeln!(page, "| {} | {} |", code(&argument.to_string()), prose(&parts.join("; ")));
    }
}

/// Returns code for a table cell.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

/// Returns text for a table cell. Escapes `<` and `*` outside of code.
fn prose(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (nth, piece) in text.replace('|', "\\|").split('`').enumerate() {
        if nth > 0 {
            escaped.push('`');
        }
        // Every second piece is in backticks.
        let piece = if nth % 2 == 0 { piece.replace('<', "\\<").replace('*', "\\*") } else { piece.to_owned() };
        escaped.push_str(&piece);
    }
    escaped
}
