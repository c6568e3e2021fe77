//! Metrics of machines, as read by the utilization figures.

use crate::kit::read::{Required, row_types};

row_types! {
    /// A time bin of one metric of a machine.
    pub(crate) struct Load {
        pub(crate) run: String,
        pub(crate) node: String,
        pub(crate) resource: String,
        pub(crate) metric: String,
        pub(crate) unit: String,
        pub(crate) device: String,
        pub(crate) ts: i64 = Required("ts"),
        pub(crate) dur: i64 = Required("dur"),
        /// Number of samples.
        pub(crate) n: f64,
        pub(crate) mean: f64,
        pub(crate) min: f64,
        pub(crate) max: f64,
    }
}

impl Load {
    /// Mean over several bins, weighted by their numbers of samples.
    pub(crate) fn mean_of(loads: &[&Self]) -> f64 {
        let n: f64 = loads.iter().map(|load| load.n).sum();
        loads.iter().map(|load| load.mean * load.n).sum::<f64>() / n
    }
}

/// Readable name of a metric: `gpu memory utilization`, but not `memory memory utilization`.
pub(crate) fn metric_name(resource: &str, metric: &str) -> String {
    let metric = metric.strip_prefix(resource).map_or(metric, |rest| rest.trim_start_matches('_'));
    format!("{resource} {}", metric.replace('_', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_contains_the_resource_once() {
        assert_eq!(metric_name("gpu", "memory_utilization"), "gpu memory utilization");
        assert_eq!(metric_name("memory", "memory_utilization"), "memory utilization");
        assert_eq!(metric_name("gpu0", "gpu_power"), "gpu0 gpu power");
    }
}
