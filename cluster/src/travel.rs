//! What travels with every task: the version that made it, and how to reach the store of its lake.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use ballista_core::extension::SessionConfigExt;
use datafusion::common::{DataFusionError, Result, exec_err};
use datafusion::config::{ConfigEntry, ConfigExtension, ExtensionOptions};
use datafusion::execution::SessionState;
use datafusion::execution::object_store::ObjectStoreRegistry;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::prelude::SessionConfig;
use object_store::ObjectStore;
use tracelake::session::cluster::{VERSION, register_for_plans};
use tracelake::source::{Options, Place};
use url::Url;

use crate::MESSAGE_BYTES;

/// Footers kept between the tasks of a session.
const FOOTER_BYTES: usize = 256 << 20;

/// `tracelake.version`, and `tracelake.store.<option>` for each option of the store.
#[derive(Clone)]
pub(crate) struct Travels {
    version: String,
    pub(crate) store: Options,
}

impl Default for Travels {
    fn default() -> Self {
        Self { version: VERSION.to_owned(), store: Options::new() }
    }
}

impl std::fmt::Debug for Travels {
    /// Without the values of options: they hold secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Travels({}, {:?})", self.version, self.store.keys().collect::<Vec<_>>())
    }
}

impl ConfigExtension for Travels {
    const PREFIX: &'static str = "tracelake";
}

impl ExtensionOptions for Travels {
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

/// What a process begins with, before what a task brings.
pub(crate) fn config() -> SessionConfig {
    SessionConfig::new_with_ballista()
        .with_ballista_grpc_client_max_message_size(MESSAGE_BYTES as usize)
        .with_option_extension(Travels::default())
}

/// Stores as a session opens them, with the options that came with the task; where none came, this process's environment tells.
#[derive(Debug)]
struct Stores {
    options: Options,
    known: Mutex<BTreeMap<String, Arc<dyn ObjectStore>>>,
}

impl ObjectStoreRegistry for Stores {
    fn register_store(&self, url: &Url, store: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(url.to_string(), store)
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = known.get(url.as_str()) {
            return Ok(Arc::clone(store));
        }
        let place = Place::open(url.as_str(), &self.options);
        let place = place.map_err(|error| DataFusionError::External(Box::new(error)))?;
        known.insert(url.to_string(), Arc::clone(place.store()));
        Ok(Arc::clone(place.store()))
    }
}

/// What reads files for the tasks of one session. `spill` is where state goes that memory cannot hold.
pub(crate) fn runtime(config: &SessionConfig, spill: Option<&str>) -> Result<Arc<RuntimeEnv>> {
    let Some(travels) = config.options().extensions.get::<Travels>() else {
        return exec_err!("a task without settings of tracelake");
    };
    if travels.version != VERSION {
        let theirs = &travels.version;
        return exec_err!("this executor is tracelake {VERSION}, and its scheduler is tracelake {theirs}");
    }
    let mut runtime = RuntimeEnvBuilder::new()
        .with_object_store_registry(Arc::new(Stores { options: travels.store.clone(), known: Mutex::default() }))
        .with_metadata_cache_limit(FOOTER_BYTES);
    if let Some(spill) = spill {
        runtime = runtime.with_temp_file_path(spill);
    }
    runtime.build_arc()
}

/// What decodes and cuts plans: it knows our functions, and no tables.
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
    fn options_of_the_store_travel_and_are_not_shown() {
        let mut config = config();
        config.options_mut().set("tracelake.store.secret_access_key", "very-secret").unwrap();
        let travels = config.options().extensions.get::<Travels>().unwrap();
        assert_eq!(travels.store["secret_access_key"], "very-secret");
        assert!(!format!("{travels:?}").contains("very-secret"));
        let entries = travels.entries();
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
