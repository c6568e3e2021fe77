//! Colours, fonts and grid, the same over all figures and readable on light and dark paper.
//!
//! The colours are those of Okabe and Ito and of Paul Tol's "bright" set, which people who cannot tell red from
//! green still tell apart. Roles that appear together in a figure differ; the families below never share one.

use plotly::Configuration;
use plotly::common::{ColorScale, ColorScaleElement, DashType, Font, Title};
use plotly::configuration::ModeBarButtonName;
use plotly::layout::{Axis, AxisType};

/// Text and axes: as far from white as from black.
pub(super) const INK: &str = "#767b85";
/// Grid lines.
pub(super) const GRID: &str = "rgba(128,128,128,0.22)";

/// Ground of the text shown on hover.
pub(super) const HOVER: &str = "#2b2f36";

/// Colour of each role, by family.
const ROLES: &[(&str, &[(&str, &str)])] = &[
    ("mode", &[("train", "#0072b2"), ("eval", "#e69f00"), ("predict", "#009e73"), ("global", "#cc79a7")]),
    (
        "resource",
        &[("cpu", "#56b4e9"), ("gpu", "#009e73"), ("memory", "#cc79a7"), ("io", "#e69f00"), ("network", "#0072b2")],
    ),
    (
        "part of a step",
        &[
            ("forward", "#66ccee"),
            ("backward", "#4477aa"),
            ("optimizer", "#228833"),
            ("communication", "#ccbb44"),
            ("loader", "#aa3377"),
        ],
    ),
    (
        "sort of work",
        &[
            ("kernel", "#2f6db5"),
            ("memcpy", "#44aa99"),
            ("memset", "#117733"),
            ("other work", "#ddcc77"),
            ("runtime", "#cc6677"),
            ("sync", "#bb5566"),
            ("python", "#e8a87c"),
            ("module", "#8c6d46"),
            ("annotation", "#9a8fd1"),
            ("step", "#6f7fa8"),
        ],
    ),
    ("share", &[("idle", "#a6a6a6"), ("partial", "#8fb8de"), ("busy", "#1f5a99")]),
    ("mark", &[("outlier", "#d55e00"), ("other", "#999999")]),
];

/// The colour of a role: a mode, a resource, a part of a step, or `outlier`; grey for any other word.
///
/// ```
/// assert_eq!(tracelake::figure::colour("train"), "#0072b2");
/// assert_eq!(tracelake::figure::colour("something else"), tracelake::figure::colour("other"));
/// ```
pub fn colour(role: &str) -> &'static str {
    let roles = ROLES.iter().flat_map(|(_, roles)| roles.iter());
    roles.into_iter().find(|(name, _)| *name == role).map_or("#999999", |(_, colour)| colour)
}

/// The colour of a category of events or of a type of device work: the same sort of work looks the same in all figures.
pub(super) fn work(category: &str) -> &'static str {
    colour(match category {
        "computation" => "kernel",
        "memory" => "memcpy",
        "operator" => "cpu",
        "driver" => "runtime",
        "non_computation" => "other work",
        "phase" => "annotation",
        other => other,
    })
}

/// The colour with an opacity from 0 to 1.
pub(super) fn faint(colour: &str, alpha: f64) -> String {
    let part = |at: usize| colour.get(at..at + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok()).unwrap_or(128);
    format!("rgba({},{},{},{alpha})", part(1), part(3), part(5))
}

/// Colours from idle to busy for `n` classes.
pub(super) fn ladder(n: usize) -> Vec<String> {
    let stops = [colour("idle"), colour("partial"), colour("busy")].map(channels);
    (0..n)
        .map(|index| {
            let place = if n < 2 { 2.0 } else { 2.0 * index as f64 / (n - 1) as f64 };
            let (from, to) = if place < 1.0 { (stops[0], stops[1]) } else { (stops[1], stops[2]) };
            let share = if place < 1.0 { place } else { place - 1.0 };
            let mixed = [0, 1, 2].map(|c| (from[c] + (to[c] - from[c]) * share).round());
            format!("rgb({},{},{})", mixed[0], mixed[1], mixed[2])
        })
        .collect()
}

fn channels(colour: &str) -> [f64; 3] {
    [1, 3, 5].map(|at| {
        let hex = colour.get(at..at + 2).unwrap_or("80");
        u8::from_str_radix(hex, 16).map_or(128.0, f64::from)
    })
}

/// Line styles for the quantities of one resource, in this order.
pub(super) fn dash(index: usize) -> DashType {
    match index % 4 {
        0 => DashType::Solid,
        1 => DashType::Dash,
        2 => DashType::Dot,
        _ => DashType::DashDot,
    }
}

/// Colours of a share from 0 to 100 %: dark is idle, bright is busy (cividis).
pub(super) fn heat() -> ColorScale {
    let stops = ["#00224e", "#35456c", "#666970", "#948e77", "#c8b866", "#fee838"];
    ColorScale::Vector(
        stops.iter().enumerate().map(|(i, stop)| ColorScaleElement(i as f64 / 5.0, (*stop).to_owned())).collect(),
    )
}

/// An axis in the common look; the title names the unit.
pub(super) fn axis(title: &str) -> Axis {
    Axis::new()
        .title(Title::with_text(title).font(Font::new().size(12)))
        .grid_color(GRID)
        .zero_line(false)
        .line_color(GRID)
        .color(INK)
        .auto_margin(true)
}

/// An axis of points in time.
pub(super) fn time_axis() -> Axis {
    axis("time (UTC)").type_(AxisType::Date).hover_format("%Y-%m-%d %H:%M:%S.%3f UTC").n_ticks(6)
}

/// What a reader may do with a figure. Nothing leads to another host, and no text is read as a formula.
pub(super) fn configuration() -> Configuration {
    use ModeBarButtonName::{AutoScale2d, Lasso2d, Pan2d, Select2d, Zoom2d, ZoomIn2d, ZoomOut2d};
    Configuration::new()
        .responsive(true)
        .typeset_math(false)
        .display_logo(false)
        .show_link(false)
        .mode_bar_buttons_to_remove(vec![AutoScale2d, Lasso2d, Pan2d, Select2d, Zoom2d, ZoomIn2d, ZoomOut2d])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn roles_of_a_family_have_their_own_colours() {
        let marks = [colour("outlier"), colour("other")];
        for (family, roles) in ROLES {
            let colours: BTreeSet<&str> = roles.iter().map(|(_, colour)| *colour).collect();
            assert_eq!(colours.len(), roles.len(), "{family}");
            assert!(*family == "mark" || marks.iter().all(|mark| !colours.contains(mark)), "{family}");
        }
        let names: BTreeSet<&str> = ROLES.iter().flat_map(|(_, roles)| roles.iter().map(|(n, _)| *n)).collect();
        assert_eq!((work("computation"), work("driver")), (colour("kernel"), colour("runtime")));
        assert_eq!(work("something else"), colour("other"));
        assert_eq!(names.len(), ROLES.iter().map(|(_, roles)| roles.len()).sum::<usize>());
    }

    #[test]
    fn colours_can_be_mixed() {
        assert_eq!(faint("#0072b2", 0.15), "rgba(0,114,178,0.15)");
        assert_eq!(ladder(3), ["rgb(166,166,166)", "rgb(143,184,222)", "rgb(31,90,153)"]);
        assert_eq!(ladder(1), ["rgb(31,90,153)"]);
        assert_eq!(ladder(5)[1], "rgb(155,175,194)");
    }
}
