//! Tells the processes of one trace apart.
//!
//! Most traces have one process. Some have several: traces that were merged, and files that several processes wrote.
//! Ids that are unique only in a process then get its ordinal: see [`crate::process`].
//!
//! Device work does not have the process that launched it. It belongs to a process with a launch of the same correlation:
//! the one that uses the device already, else one that uses no device. Without such a launch, it belongs to the process
//! that last used the device.

use std::collections::{HashMap, HashSet};

use super::track::TrackId;
use crate::secret;
use crate::table::Category;

/// Maximum number of processes. Further ones have no name.
const MAX_PROCESSES: usize = 1 << 16;

/// Maximum number of launches that wait for their device work, and of devices.
const MAX_LAUNCHES: usize = 1 << 20;

/// Whether only a process that trains has events of this category. Other events can have a `pid` for a device, a tensor or
/// another row of a viewer.
fn is_of_training(category: Category) -> bool {
    matches!(category, Category::Operator | Category::Step | Category::Loader)
}

/// A process, or another thing that has a `pid`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Process {
    pid: TrackId,
    name: String,
    /// Its number among the processes that train, from 0.
    ordinal: Option<usize>,
}

/// The processes of a file, in the order in which they were read.
#[derive(Debug, Default, Clone)]
pub(super) struct Processes {
    list: Vec<Process>,
    index: HashMap<TrackId, usize>,
    /// The process of the last event on the host.
    last: usize,
    /// Those that train, by ordinal.
    training: Vec<usize>,
    /// The first process has step marks only so far. If another process has the operators, both are one.
    is_first_open: bool,
    /// Number of processes that trained when this copy was made.
    training_at_copy: usize,
    /// Launches by correlation and process. Empty while one process trains.
    launches: HashSet<(i64, usize)>,
    /// The process that used a device last, by the number of the device.
    devices: HashMap<Option<i64>, usize>,
}

impl Processes {
    /// Number of processes that train.
    pub(super) fn training(&self) -> usize {
        self.training.len()
    }

    /// A copy for a later section of the file. None if ids depend on the order of the events, or if there is much to copy.
    pub(super) fn copy_for_section(&self) -> Option<Self> {
        let is_small = self.training.len() <= 1 && !self.is_first_open && self.list.len() <= 1 << 10;
        is_small.then(|| Self { training_at_copy: self.training.len(), ..self.clone() })
    }

    /// Whether the ids of a section are those that it has when it is read from here. It then has all processes.
    pub(super) fn can_merge(&self, section: &Self) -> bool {
        section.training.len() <= 1 && section.training_at_copy == self.training.len()
    }

    /// The ordinal and the name of the process of an event on the host.
    #[inline]
    pub(super) fn on_host(
        &mut self,
        pid: &TrackId,
        category: Category,
        correlation: Option<i64>,
    ) -> (usize, Option<&str>) {
        if self.list.get(self.last).is_none_or(|last| last.pid != *pid) {
            self.last = self.find(pid);
        }
        let Some(process) = self.list.get_mut(self.last) else { return (0, None) };
        let is_operator = category == Category::Operator;
        if process.ordinal.is_none() && is_of_training(category) {
            if is_operator && self.is_first_open {
                process.ordinal = Some(0);
                self.training[0] = self.last;
            } else {
                self.is_first_open = self.training.is_empty() && !is_operator;
                process.ordinal = Some(self.training.len());
                self.training.push(self.last);
            }
        }
        self.is_first_open &= !is_operator;
        if self.training.len() > 1
            && matches!(category, Category::Runtime | Category::Driver)
            && self.launches.len() < MAX_LAUNCHES
            && let Some(correlation) = correlation
        {
            self.launches.insert((correlation, self.last));
        }
        (process.ordinal.unwrap_or(0), Some(&process.name))
    }

    /// The ordinal and the name of the process that launched an event on a device.
    #[inline]
    pub(super) fn on_device(&mut self, device: Option<i64>, correlation: Option<i64>) -> (usize, Option<&str>) {
        let mut process = self.training.first().copied();
        if self.training.len() > 1 {
            let owner = self.devices.get(&device).copied();
            let has_launched = |process: &&usize| {
                correlation.is_some_and(|correlation| self.launches.contains(&(correlation, **process)))
            };
            let is_without_device = |process: &&usize| !self.devices.values().any(|owner| owner == *process);
            let launching = || self.training.iter().filter(has_launched);
            let launched = launching().find(|process| owner == Some(**process));
            let launched = launched.or_else(|| launching().find(is_without_device)).or_else(|| launching().next());
            process = launched.copied().or(owner).or(process);
        }
        let Some(process) = process else { return (0, None) };
        if self.devices.get(&device) != Some(&process) && self.devices.len() < MAX_LAUNCHES {
            self.devices.insert(device, process);
        }
        self.list.get(process).map_or((0, None), |process| (process.ordinal.unwrap_or(0), Some(&*process.name)))
    }

    fn find(&mut self, pid: &TrackId) -> usize {
        if let Some(process) = self.index.get(pid) {
            return *process;
        }
        let name = match pid {
            TrackId::None => return usize::MAX,
            TrackId::Number(number) => number.to_string(),
            TrackId::Text(text) => secret::mask(text).into_owned(),
        };
        if self.list.len() == MAX_PROCESSES {
            return usize::MAX;
        }
        self.index.insert(pid.clone(), self.list.len());
        self.list.push(Process { pid: pid.clone(), name, ordinal: None });
        self.list.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn device_work_belongs_to_the_process_that_launched_it() {
        let mut processes = Processes::default();
        let (first, second) = (TrackId::Number(5), TrackId::Text("worker".to_owned()));
        let runtime = Category::Runtime;
        assert_eq!(processes.on_host(&TrackId::Number(0), Category::Python, None), (0, Some("0")));
        assert_eq!(processes.on_host(&first, Category::Operator, None), (0, Some("5")));
        assert_eq!(processes.on_host(&first, runtime, Some(1)), (0, Some("5")));
        assert_eq!(processes.on_device(Some(0), Some(1)), (0, Some("5")));
        assert_eq!(processes.on_host(&second, Category::Step, None), (1, Some("worker")));
        assert_eq!(processes.on_host(&second, runtime, Some(2)), (1, Some("worker")));
        assert_eq!(processes.on_device(Some(1), Some(2)), (1, Some("worker")));
        assert_eq!(processes.on_host(&first, runtime, Some(3)), (0, Some("5")));
        assert_eq!(processes.on_device(Some(0), Some(3)), (0, Some("5")));
        // Without a launch, the process that last used the device.
        assert_eq!(processes.on_device(Some(1), Some(9)).0, 1);
        assert_eq!(processes.on_device(Some(0), None).0, 0);
        assert_eq!(processes.training(), 2);
    }

    #[test]
    fn step_marks_can_have_another_pid_than_operators() {
        let mut processes = Processes::default();
        let (marks, operators) = (TrackId::Number(3), TrackId::Number(1));
        assert_eq!(processes.on_host(&marks, Category::Step, None).0, 0);
        assert_eq!(processes.on_host(&operators, Category::Operator, None).0, 0);
        assert_eq!(processes.training(), 1);
        assert_eq!(processes.on_device(Some(0), None), (0, Some("1")));
        assert_eq!(processes.on_host(&TrackId::Number(5), Category::Step, None).0, 1);
    }

    #[test]
    fn sections_with_the_same_process_are_merged() {
        let mut processes = Processes::default();
        let mut section = processes.copy_for_section().unwrap();
        section.on_host(&TrackId::Number(5), Category::Operator, None);
        processes.on_host(&TrackId::Number(7), Category::Python, None);
        assert!(processes.can_merge(&section));
        processes = section;
        let mut section = processes.copy_for_section().unwrap();
        section.on_host(&TrackId::Number(6), Category::Operator, None);
        assert!(!processes.can_merge(&section));
        // A process that was found after the copy was made.
        let mut processes = Processes::default();
        let section = processes.copy_for_section().unwrap();
        processes.on_host(&TrackId::Number(5), Category::Operator, None);
        assert!(!processes.can_merge(&section));
    }
}
