//! How a process of a cluster is told what to do: arguments, then the environment, then a file.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

/// Seconds after which an executor is taken for dead.
const DEAD_AFTER: u64 = 30;
/// Seconds that a question waits for an executor.
const PATIENCE: u64 = 30;
/// Seconds that answers may take at the end.
const DRAIN: u64 = 30;
/// Hours that what nobody fetched is kept.
const KEEP_HOURS: u64 = 4;

/// A scheduler and executors that answer questions of tracelake sessions which were opened with a cluster.
///
/// Each option may also stand in the environment, or in a file under the name of the role: [executor] and below it
/// scheduler = "head:50051".
#[derive(Debug, Parser)]
#[command(name = "tracelake-cluster", version, arg_required_else_help = true, disable_help_subcommand = true)]
struct Cli {
    /// File with options: TOML, a table for each role
    #[arg(long, env = "TRACELAKE_CLUSTER_FILE", value_name = "FILE", global = true)]
    file: Option<PathBuf>,
    #[command(subcommand)]
    role: Role,
}

/// What a process is.
#[derive(Debug, Subcommand)]
pub(crate) enum Role {
    /// Take plans of sessions, cut them into stages, give tasks to executors, hand on their rows
    Scheduler(Scheduler),
    /// Run tasks
    Executor(Executor),
    /// Be a scheduler and one executor, for one machine
    Standalone(Both),
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Scheduler {
    /// Address to listen at; 0.0.0.0 is all of this machine's
    #[arg(long, env = "TRACELAKE_CLUSTER_BIND", default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub(crate) bind: String,
    /// Name under which executors reach this machine [default: that of --bind]
    #[arg(long, env = "TRACELAKE_CLUSTER_HOST", value_name = "NAME")]
    pub(crate) host: Option<String>,
    /// Port for sessions, and for /healthz and /readyz
    #[arg(long, env = "TRACELAKE_CLUSTER_PORT", default_value_t = 50050)]
    pub(crate) port: u16,
    /// Port for executors: who reaches it can run anything on them, so keep it within the cluster
    #[arg(long, env = "TRACELAKE_CLUSTER_EXECUTORS_PORT", default_value_t = 50051)]
    pub(crate) executors_port: u16,
    /// Seconds after which a silent executor is taken for dead, and its questions are run again
    #[arg(long, env = "TRACELAKE_CLUSTER_DEAD_AFTER", default_value_t = DEAD_AFTER, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(5..))]
    pub(crate) dead_after: u64,
    /// Seconds to wait for an executor when there is none, before a question is refused
    #[arg(long, env = "TRACELAKE_CLUSTER_PATIENCE", default_value_t = PATIENCE, value_name = "SECONDS")]
    pub(crate) patience: u64,
    /// Seconds that answers may still take once this process is told to end
    #[arg(long, env = "TRACELAKE_CLUSTER_DRAIN", default_value_t = DRAIN, value_name = "SECONDS")]
    pub(crate) drain: u64,
    /// Hours after which what nobody fetched is removed
    #[arg(long, env = "TRACELAKE_CLUSTER_KEEP_HOURS", default_value_t = KEEP_HOURS, value_name = "HOURS")]
    pub(crate) keep_hours: u64,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Executor {
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
    /// Memory for the state of queries in MiB, shared out evenly; beyond it they spill to disk [default: 70 % of this machine's]
    #[arg(long, env = "TRACELAKE_CLUSTER_MEMORY", value_name = "MIB")]
    pub(crate) memory: Option<u64>,
    /// Folder for what goes from stage to stage; a folder below it is emptied at the beginning [default: that for temporary files]
    #[arg(long, env = "TRACELAKE_CLUSTER_FOLDER", value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
    /// Hours after which files there are removed, whoever left them
    #[arg(long, env = "TRACELAKE_CLUSTER_KEEP_HOURS", default_value_t = KEEP_HOURS, value_name = "HOURS")]
    pub(crate) keep_hours: u64,
}

/// One machine as both; ports are next to each other.
#[derive(Debug, Clone, Args)]
pub(crate) struct Both {
    /// Address to listen at for sessions; 0.0.0.0 is all of this machine's
    #[arg(long, env = "TRACELAKE_CLUSTER_BIND", default_value = "127.0.0.1", value_name = "ADDRESS")]
    bind: String,
    /// Port for sessions; four more follow for what the parts say to each other
    #[arg(long, env = "TRACELAKE_CLUSTER_PORT", default_value_t = 50050)]
    port: u16,
    /// Tasks at a time [default: cores of this machine]
    #[arg(long, env = "TRACELAKE_CLUSTER_CORES")]
    cores: Option<usize>,
    /// Memory for the state of queries in MiB [default: 70 % of this machine's]
    #[arg(long, env = "TRACELAKE_CLUSTER_MEMORY", value_name = "MIB")]
    memory: Option<u64>,
    /// Folder for what goes from stage to stage [default: that for temporary files]
    #[arg(long, env = "TRACELAKE_CLUSTER_FOLDER", value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// The two parts of one machine.
pub(crate) struct Standalone {
    pub(crate) scheduler: Scheduler,
    pub(crate) executor: Executor,
}

impl Both {
    pub(crate) fn parts(self) -> Standalone {
        let (here, inner) = ("127.0.0.1".to_owned(), self.port.saturating_add(1));
        Standalone {
            scheduler: Scheduler {
                bind: self.bind,
                host: Some(here.clone()),
                port: self.port,
                executors_port: inner,
                dead_after: DEAD_AFTER,
                patience: PATIENCE,
                drain: DRAIN,
                keep_hours: KEEP_HOURS,
            },
            executor: Executor {
                bind: here.clone(),
                host: None,
                scheduler: (here, inner),
                port: inner.saturating_add(1),
                cores: self.cores,
                memory: self.memory,
                folder: self.folder,
                keep_hours: KEEP_HOURS,
            },
        }
    }
}

fn host_port(text: &str) -> Result<(String, u16), String> {
    let parts = text.rsplit_once(':').and_then(|(host, port)| Some((host.to_owned(), port.parse().ok()?)));
    parts.filter(|(host, _)| !host.is_empty()).ok_or_else(|| "expected HOST:PORT".to_owned())
}

/// What the arguments say, then the environment, then the file.
pub(crate) fn settings(arguments: impl IntoIterator<Item = OsString>) -> Result<Role, clap::Error> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let mut command = Cli::command();
    // The file is named by what it is a default of.
    let named = command.clone().ignore_errors(true).try_get_matches_from(&arguments).ok();
    let file = named.and_then(|matches| matches.get_one::<PathBuf>("file").cloned());
    if let Some(file) = file {
        let refused = |why: String| {
            Cli::command()
                .error(ErrorKind::InvalidValue, format!("cannot use the options in {}: {why}", file.display()))
        };
        for (role, options) in tables(&file).map_err(refused)? {
            let Some(known) = command.find_subcommand(&role) else {
                return Err(refused(format!("there is no role [{role}]")));
            };
            for name in options.keys() {
                let known = known.get_arguments().any(|argument| argument.get_long() == Some(&name.replace('_', "-")));
                if !known {
                    return Err(refused(format!("[{role}] has no option {name}")));
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
    Ok(Cli::from_arg_matches(&matches)?.role)
}

/// The options of each role in a file, as text.
fn tables(file: &Path) -> Result<BTreeMap<String, BTreeMap<String, String>>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let tables: toml::Table = text.parse().map_err(|error: toml::de::Error| error.to_string())?;
    let mut roles = BTreeMap::new();
    for (role, options) in tables {
        let toml::Value::Table(options) = options else { return Err(format!("`{role}` is no table")) };
        let mut texts = BTreeMap::new();
        for (name, value) in options {
            let value = match value {
                toml::Value::String(text) => text,
                toml::Value::Integer(number) => number.to_string(),
                other => return Err(format!("[{role}] {name}: a {} is no text or number", other.type_str())),
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

    fn given(file: &str, arguments: &[&str]) -> Result<Role, String> {
        let folder = std::env::temp_dir().join(format!("tracelake-settings-{}-{}", std::process::id(), file.len()));
        std::fs::write(&folder, file).unwrap();
        let file = ["--file".into(), folder.clone().into_os_string()];
        let arguments = arguments.iter().map(OsString::from);
        let role = settings(std::iter::once("tracelake-cluster".into()).chain(arguments).chain(file));
        std::fs::remove_file(folder).unwrap();
        role.map_err(|error| error.to_string())
    }

    #[test]
    fn an_argument_wins_over_the_file_and_the_file_over_the_default() {
        let file = "[executor]\nscheduler = \"head:4000\"\ncores = 8\nkeep-hours = 9\n";
        let Ok(Role::Executor(executor)) = given(file, &["executor", "--cores", "3"]) else { panic!() };
        assert_eq!(executor.scheduler, ("head".to_owned(), 4000));
        assert_eq!((executor.cores, executor.keep_hours, executor.port), (Some(3), 9, 50060));
    }

    #[test]
    fn a_file_that_means_nothing_is_refused_with_its_reason() {
        let refused = |file: &str| given(file, &["scheduler"]).unwrap_err();
        assert!(refused("[worker]\n").contains("there is no role [worker]"));
        assert!(refused("[scheduler]\nports = 3\n").contains("[scheduler] has no option ports"));
        assert!(refused("[scheduler]\nport = true\n").contains("[scheduler] port: a boolean is no text or number"));
        assert!(refused("[scheduler]\nport = \"many\"\n").contains("invalid value 'many'"));
        assert!(refused("port = 3\n").contains("`port` is no table"));
    }

    #[test]
    fn a_scheduler_has_a_name_and_a_port() {
        assert_eq!(host_port("head:50051"), Ok(("head".to_owned(), 50051)));
        for wrong in ["head", ":1", "head:port", ""] {
            assert!(host_port(wrong).is_err(), "{wrong}");
        }
    }
}
