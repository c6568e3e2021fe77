//! Machine metrics, as read by the utilization figures.

use crate::kit::read;
use crate::{Frame, Result};

/// A time bin of one metric of a machine.
pub(crate) struct Load {
    pub(crate) run: String,
    pub(crate) node: String,
    pub(crate) resource: String,
    pub(crate) metric: String,
    pub(crate) unit: String,
    pub(crate) device: String,
    pub(crate) ts: i64,
    pub(crate) dur: i64,
    pub(crate) n: f64,
    pub(crate) mean: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
}

/// The rows of `utilization.over_time`.
pub(crate) fn loads(frame: &Frame) -> Result<Vec<Load>> {
    let text = |name| read::texts(frame, name);
    let (runs, nodes, resources, metrics) = (text("run")?, text("node")?, text("resource")?, text("metric")?);
    let (units, devices) = (text("unit")?, text("device")?);
    let (ts, dur, n) = (read::integers(frame, "ts")?, read::integers(frame, "dur")?, read::floats(frame, "n")?);
    let (mean, min, max) = (read::floats(frame, "mean")?, read::floats(frame, "min")?, read::floats(frame, "max")?);
    let mut loads = Vec::with_capacity(runs.len());
    for row in 0..runs.len() {
        if let (Some(ts), Some(dur)) = (ts[row], dur[row]) {
            loads.push(Load {
                run: runs[row].clone(),
                node: nodes[row].clone(),
                resource: resources[row].clone(),
                metric: metrics[row].clone(),
                unit: units[row].clone(),
                device: devices[row].clone(),
                ts,
                dur,
                n: n[row],
                mean: mean[row],
                min: min[row],
                max: max[row],
            });
        }
    }
    Ok(loads)
}

/// Readable name of a metric: `gpu memory utilization`, but not `memory memory utilization`.
pub(crate) fn words(resource: &str, metric: &str) -> String {
    let metric = metric.strip_prefix(resource).map_or(metric, |rest| rest.trim_start_matches('_'));
    format!("{resource} {}", metric.replace('_', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_named_once() {
        assert_eq!(words("gpu", "memory_utilization"), "gpu memory utilization");
        assert_eq!(words("memory", "memory_utilization"), "memory utilization");
        assert_eq!(words("gpu0", "gpu_power"), "gpu0 gpu power");
    }
}
