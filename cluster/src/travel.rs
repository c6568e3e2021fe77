//! The settings that are sent with every task: the version of tracelake, and the options of the
//! store of the lake.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use ballista_core::extension::SessionConfigExt;
use datafusion::common::{DataFusionError, Result, exec_err};
use datafusion::config::{ConfigEntry, ConfigExtension, ExtensionOptions};
use datafusion::execution::SessionState;
use datafusion::execution::object_store::ObjectStoreRegistry;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::prelude::SessionConfig;
use object_store::ObjectStore;
use parking_lot::Mutex;
use tracelake::session::cluster::{VERSION, register_for_plans};
use tracelake::source::{Location, Options};
use url::Url;

use crate::MESSAGE_BYTES;

/// Bytes of footers that are cached between the tasks of a session.
const FOOTER_BYTES: usize = 256 << 20;

/// `tracelake.version`, and `tracelake.store.<option>` for each option of the store.
#[derive(Clone)]
pub(crate) struct TaskSettings {
    version: String,
    pub(crate) store: Options,
}

impl Default for TaskSettings {
    fn default() -> Self {
        Self { version: VERSION.to_owned(), store: Options::new() }
    }
}

impl std::fmt::Debug for TaskSettings {
    /// Omits the values of options, because they contain secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TaskSettings({}, {:?})", self.version, self.store.keys().collect::<Vec<_>>())
    }
}

impl ConfigExtension for TaskSettings {
    const PREFIX: &'static str = "tracelake";
}

impl ExtensionOptions for TaskSettings {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn cloned(&self) -> Box<dyn ExtensionOptions> {
        Box::new(self.clone())
    }

    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        match key.split_once('.') {
            None if key == "version" => value.clone_into(&mut self.version),
            Some(("store", option)) => {
                self.store.insert(option.to_owned(), value.to_owned());
            }
            _ => return exec_err!("there is no setting tracelake.{key}"),
        }
        Ok(())
    }

    fn entries(&self) -> Vec<ConfigEntry> {
        let entry = |key: String, value: &str| ConfigEntry {
            key: format!("tracelake.{key}"),
            value: Some(value.to_owned()),
            description: "",
        };
        let store = self.store.iter().map(|(option, value)| entry(format!("store.{option}"), value));
        std::iter::once(entry("version".to_owned(), &self.version)).chain(store).collect()
    }
}

/// The configuration of a process, without the settings of a task.
pub(crate) fn config() -> SessionConfig {
    SessionConfig::new_with_ballista()
        .with_ballista_grpc_client_max_message_size(MESSAGE_BYTES as usize)
        .with_option_extension(TaskSettings::default())
}

/// Opens stores with the options of the task. Without options, they are taken from the environment
/// of this process.
#[derive(Debug)]
struct StoreRegistry {
    options: Options,
    stores: Mutex<BTreeMap<String, Arc<dyn ObjectStore>>>,
}

impl ObjectStoreRegistry for StoreRegistry {
    fn register_store(&self, url: &Url, store: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        self.stores.lock().insert(url.to_string(), store)
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        let mut stores = self.stores.lock();
        if let Some(store) = stores.get(url.as_str()) {
            return Ok(Arc::clone(store));
        }
        let location = Location::open(url.as_str(), &self.options);
        let location = location.map_err(|error| DataFusionError::External(Box::new(error)))?;
        stores.insert(url.to_string(), Arc::clone(location.store()));
        Ok(Arc::clone(location.store()))
    }
}

/// The runtime environment of the tasks of one session. `spill` is the folder for state that does
/// not fit into memory.
pub(crate) fn runtime(config: &SessionConfig, spill: Option<&str>) -> Result<Arc<RuntimeEnv>> {
    let Some(settings) = config.options().extensions.get::<TaskSettings>() else {
        return exec_err!("a task without settings of tracelake");
    };
    if settings.version != VERSION {
        let theirs = &settings.version;
        return exec_err!("this executor is tracelake {VERSION}, and its scheduler is tracelake {theirs}");
    }
    let mut runtime = RuntimeEnvBuilder::new()
        .with_object_store_registry(Arc::new(StoreRegistry {
            options: settings.store.clone(),
            stores: Mutex::default(),
        }))
        .with_metadata_cache_limit(FOOTER_BYTES);
    if let Some(spill) = spill {
        runtime = runtime.with_temp_file_path(spill);
    }
    runtime.build_arc()
}

/// The state that decodes plans and divides them into stages. It has our functions and no tables.
pub(crate) fn state(config: SessionConfig) -> Result<SessionState> {
    let runtime = runtime(&config, None)?;
    let mut state =
        SessionStateBuilder::new().with_config(config).with_runtime_env(runtime).with_default_features().build();
    register_for_plans(&mut state)?;
    Ok(state)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_the_store_are_sent_and_not_shown() {
        let mut config = config();
        config.options_mut().set("tracelake.store.secret_access_key", "very-secret").unwrap();
        let settings = config.options().extensions.get::<TaskSettings>().unwrap();
        assert_eq!(settings.store["secret_access_key"], "very-secret");
        assert!(!format!("{settings:?}").contains("very-secret"));
        let entries = settings.entries();
        assert!(entries.iter().any(|entry| entry.key == "tracelake.store.secret_access_key"));
    }

    #[test]
    fn a_task_of_another_version_is_refused() {
        let mut config = config();
        config.options_mut().set("tracelake.version", "9.9.9").unwrap();
        let error = runtime(&config, None).unwrap_err().to_string();
        assert!(error.contains("its scheduler is tracelake 9.9.9"), "{error}");
    }
}
