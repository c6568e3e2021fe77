//! The settings of a process of a cluster: from its arguments, then from the environment, then from a file.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

/// Seconds without a heartbeat after which an executor expires.
const DEAD_AFTER_SECONDS: u64 = 30;
/// Seconds that a query waits for an executor.
const PATIENCE_SECONDS: u64 = 30;
/// Seconds that running queries may take when the process ends.
const DRAIN_SECONDS: u64 = 30;
/// Hours after which rows that were not fetched are removed.
const KEEP_HOURS: u64 = 4;

/// A scheduler and executors that run the queries of tracelake sessions with option `cluster`.
///
/// Each option may also be in the environment, or in a file under the name of the role: [executor] and below it
/// scheduler = "head:50051".
#[derive(Debug, Parser)]
#[command(name = "tracelake-cluster", version, arg_required_else_help = true, disable_help_subcommand = true)]
struct ClusterCli {
    /// File with options: TOML, a table for each role
    #[arg(long, env = "TRACELAKE_CLUSTER_FILE", value_name = "FILE", global = true)]
    file: Option<PathBuf>,
    #[command(subcommand)]
    role: ProcessRole,
}

/// The role of a process.
#[derive(Debug, Subcommand)]
pub(crate) enum ProcessRole {
    /// Take plans of sessions, divide them into stages, assign tasks to executors, return their rows
    Scheduler(SchedulerSettings),
    /// Run tasks
    Executor(ExecutorSettings),
    /// Be a scheduler and one executor, for one machine
    Standalone(StandaloneSettings),
}

#[derive(Debug, Clone, Args)]
pub(crate) struct SchedulerSettings {
    /// Address to listen at; 0.0.0.0 is all of this machine's
    #[arg(long, env = "TRACELAKE_CLUSTER_BIND", default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub(crate) bind: String,
    /// Name under which executors reach this machine [default: that of --bind]
    #[arg(long, env = "TRACELAKE_CLUSTER_HOST", value_name = "NAME")]
    pub(crate) host: Option<String>,
    /// Port for sessions, and for /healthz and /readyz
    #[arg(long, env = "TRACELAKE_CLUSTER_PORT", default_value_t = 50050)]
    pub(crate) port: u16,
    /// Port for executors: any program that connects to it can run anything on them, so keep it within the cluster
    #[arg(long, env = "TRACELAKE_CLUSTER_EXECUTORS_PORT", default_value_t = 50051)]
    pub(crate) executors_port: u16,
    /// Seconds without a heartbeat after which an executor expires, and its queries are run again
    #[arg(long, env = "TRACELAKE_CLUSTER_DEAD_AFTER", default_value_t = DEAD_AFTER_SECONDS, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(5..))]
    pub(crate) dead_after: u64,
    /// Seconds to wait for an executor when there is none, before a query is refused
    #[arg(long, env = "TRACELAKE_CLUSTER_PATIENCE", default_value_t = PATIENCE_SECONDS, value_name = "SECONDS")]
    pub(crate) patience: u64,
    /// Seconds that running queries may still take after SIGTERM or Ctrl-C
    #[arg(long, env = "TRACELAKE_CLUSTER_DRAIN", default_value_t = DRAIN_SECONDS, value_name = "SECONDS")]
    pub(crate) drain: u64,
    /// Hours after which rows that were not fetched are removed
    #[arg(long, env = "TRACELAKE_CLUSTER_KEEP_HOURS", default_value_t = KEEP_HOURS, value_name = "HOURS")]
    pub(crate) keep_hours: u64,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ExecutorSettings {
    /// Address to listen at; 0.0.0.0 is all of this machine's
    #[arg(long, env = "TRACELAKE_CLUSTER_BIND", default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub(crate) bind: String,
    /// Name under which the scheduler and other executors reach this machine [default: that of --bind]
    #[arg(long, env = "TRACELAKE_CLUSTER_HOST", value_name = "NAME")]
    pub(crate) host: Option<String>,
    /// Scheduler, with its port for executors
    #[arg(long, env = "TRACELAKE_CLUSTER_SCHEDULER", default_value = "127.0.0.1:50051", value_name = "HOST:PORT", value_parser = host_port)]
    pub(crate) scheduler: (String, u16),
    /// Port for rows; tasks come by the next one, and the one after that has /healthz and /readyz
    #[arg(long, env = "TRACELAKE_CLUSTER_EXECUTOR_PORT", default_value_t = 50060)]
    pub(crate) port: u16,
    /// Tasks at a time [default: cores of this machine]
    #[arg(long, env = "TRACELAKE_CLUSTER_CORES")]
    pub(crate) cores: Option<usize>,
    /// Memory for the state of queries in MiB, shared evenly; beyond it they spill to disk [default: 70 % of this machine's]
    #[arg(long, env = "TRACELAKE_CLUSTER_MEMORY", value_name = "MIB")]
    pub(crate) memory: Option<u64>,
    /// Folder for the rows between stages; a folder below it is emptied at the start [default: that for temporary files]
    #[arg(long, env = "TRACELAKE_CLUSTER_FOLDER", value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
    /// Hours after which files there are removed
    #[arg(long, env = "TRACELAKE_CLUSTER_KEEP_HOURS", default_value_t = KEEP_HOURS, value_name = "HOURS")]
    pub(crate) keep_hours: u64,
}

/// A scheduler and an executor on one machine, on consecutive ports.
#[derive(Debug, Clone, Args)]
pub(crate) struct StandaloneSettings {
    /// Address to listen at for sessions; 0.0.0.0 is all of this machine's
    #[arg(long, env = "TRACELAKE_CLUSTER_BIND", default_value = "127.0.0.1", value_name = "ADDRESS")]
    bind: String,
    /// Port for sessions; the four ports after it connect the scheduler and the executor
    #[arg(long, env = "TRACELAKE_CLUSTER_PORT", default_value_t = 50050)]
    port: u16,
    /// Tasks at a time [default: cores of this machine]
    #[arg(long, env = "TRACELAKE_CLUSTER_CORES")]
    cores: Option<usize>,
    /// Memory for the state of queries in MiB [default: 70 % of this machine's]
    #[arg(long, env = "TRACELAKE_CLUSTER_MEMORY", value_name = "MIB")]
    memory: Option<u64>,
    /// Folder for the rows between stages [default: that for temporary files]
    #[arg(long, env = "TRACELAKE_CLUSTER_FOLDER", value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

impl StandaloneSettings {
    /// Returns the settings of the scheduler and of the executor.
    pub(crate) fn parts(self) -> (SchedulerSettings, ExecutorSettings) {
        let (localhost, executors_port) = ("127.0.0.1".to_owned(), self.port.saturating_add(1));
        let scheduler = SchedulerSettings {
            bind: self.bind,
            host: Some(localhost.clone()),
            port: self.port,
            executors_port,
            dead_after: DEAD_AFTER_SECONDS,
            patience: PATIENCE_SECONDS,
            drain: DRAIN_SECONDS,
            keep_hours: KEEP_HOURS,
        };
        let executor = ExecutorSettings {
            bind: localhost.clone(),
            host: None,
            scheduler: (localhost, executors_port),
            port: executors_port.saturating_add(1),
            cores: self.cores,
            memory: self.memory,
            folder: self.folder,
            keep_hours: KEEP_HOURS,
        };
        (scheduler, executor)
    }
}

fn host_port(text: &str) -> Result<(String, u16), String> {
    let parts = text.rsplit_once(':').and_then(|(host, port)| Some((host.to_owned(), port.parse().ok()?)));
    parts.filter(|(host, _)| !host.is_empty()).ok_or_else(|| "expected HOST:PORT".to_owned())
}

/// Parses the settings. Arguments override the environment, and the environment overrides the file.
pub(crate) fn parse_settings(arguments: impl IntoIterator<Item = OsString>) -> Result<ProcessRole, clap::Error> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let mut command = ClusterCli::command();
    // The file has defaults of arguments, so its name is parsed from the arguments first.
    let matches = command.clone().ignore_errors(true).try_get_matches_from(&arguments).ok();
    let file = matches.and_then(|matches| matches.get_one::<PathBuf>("file").cloned());
    if let Some(file) = file {
        let invalid = |cause: String| {
            ClusterCli::command()
                .error(ErrorKind::InvalidValue, format!("cannot use the options in {}: {cause}", file.display()))
        };
        for (role, options) in read_options(&file).map_err(invalid)? {
            let Some(subcommand) = command.find_subcommand(&role) else {
                return Err(invalid(format!("there is no role [{role}]")));
            };
            for name in options.keys() {
                let long_name = name.replace('_', "-");
                if !subcommand.get_arguments().any(|argument| argument.get_long() == Some(long_name.as_str())) {
                    return Err(invalid(format!("[{role}] has no option {name}")));
                }
            }
            command = command.mut_subcommand(&role, |mut role| {
                for (name, value) in options {
                    role = role.mut_arg(name.replace('-', "_"), |argument| argument.default_value(value));
                }
                role
            });
        }
    }
    let matches = command.try_get_matches_from(&arguments)?;
    Ok(ClusterCli::from_arg_matches(&matches)?.role)
}

/// The options of each role in a file, as text.
fn read_options(file: &Path) -> Result<BTreeMap<String, BTreeMap<String, String>>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let tables: toml::Table = text.parse().map_err(|error: toml::de::Error| error.to_string())?;
    let mut roles = BTreeMap::new();
    for (role, options) in tables {
        let toml::Value::Table(options) = options else { return Err(format!("`{role}` is not a table")) };
        let mut texts = BTreeMap::new();
        for (name, value) in options {
            let value = match value {
                toml::Value::String(text) => text,
                toml::Value::Integer(number) => number.to_string(),
                other => return Err(format!("[{role}] {name}: a {} is not a text or number", other.type_str())),
            };
            texts.insert(name, value);
        }
        roles.insert(role, texts);
    }
    Ok(roles)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(file: &str, arguments: &[&str]) -> Result<ProcessRole, String> {
        let folder = std::env::temp_dir().join(format!("tracelake-settings-{}-{}", std::process::id(), file.len()));
        std::fs::write(&folder, file).unwrap();
        let file = ["--file".into(), folder.clone().into_os_string()];
        let arguments = arguments.iter().map(OsString::from);
        let role = parse_settings(std::iter::once("tracelake-cluster".into()).chain(arguments).chain(file));
        std::fs::remove_file(folder).unwrap();
        role.map_err(|error| error.to_string())
    }

    #[test]
    fn an_argument_wins_over_the_file_and_the_file_over_the_default() {
        let file = "[executor]\nscheduler = \"head:4000\"\ncores = 8\nkeep-hours = 9\n";
        let Ok(ProcessRole::Executor(executor)) = parse(file, &["executor", "--cores", "3"]) else { panic!() };
        assert_eq!(executor.scheduler, ("head".to_owned(), 4000));
        assert_eq!((executor.cores, executor.keep_hours, executor.port), (Some(3), 9, 50060));
    }

    #[test]
    fn an_invalid_file_is_refused_with_the_reason() {
        let invalid = |file: &str| parse(file, &["scheduler"]).unwrap_err();
        assert!(invalid("[worker]\n").contains("there is no role [worker]"));
        assert!(invalid("[scheduler]\nports = 3\n").contains("[scheduler] has no option ports"));
        assert!(invalid("[scheduler]\nport = true\n").contains("[scheduler] port: a boolean is not a text or number"));
        assert!(invalid("[scheduler]\nport = \"many\"\n").contains("invalid value 'many'"));
        assert!(invalid("port = 3\n").contains("`port` is not a table"));
    }

    #[test]
    fn a_scheduler_has_a_name_and_a_port() {
        assert_eq!(host_port("head:50051"), Ok(("head".to_owned(), 50051)));
        for wrong in ["head", ":1", "head:port", ""] {
            assert!(host_port(wrong).is_err(), "{wrong}");
        }
    }
}
