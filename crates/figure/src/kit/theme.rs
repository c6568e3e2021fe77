//! Colors, fonts and grid of all figures, readable on light and dark backgrounds.
//!
//! The colors are close to those of Okabe and Ito and to Paul Tol's "bright" set. Roles that appear together in a
//! figure also differ for people with dichromatic color blindness. A test simulates their vision.

use plotly::Configuration;
use plotly::common::{Anchor, ColorBar, ColorScale, ColorScaleElement, DashType, Font, ThicknessMode, Title};
use plotly::configuration::{DisplayModeBar, ModeBarButtonName};
use plotly::layout::{Axis, AxisType, CategoryOrder, RangeMode};
use tracelake_model::table::MIN_EPOCH_TIME;

/// Color of text and axes on an unknown background, such as in a notebook's own renderer. Its contrast to white and to
/// the background of dark notebooks is about equal.
pub(crate) const INK: &str = "#767b85";
/// Color of text and axes on a light and on a dark background. A page detects its background.
pub(crate) const ON_LIGHT: &str = "#3d424b";
pub(crate) const ON_DARK: &str = "#d5d8de";
/// Color of grid lines.
pub(crate) const GRID: &str = "rgba(128,128,128,0.22)";

/// Background of hover texts.
pub(crate) const HOVER: &str = "#2b2f36";

/// Color of each role, by family.
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
            ("memcpy", "#77bf95"),
            ("memset", "#3b6c22"),
            ("other work", "#ddcc77"),
            ("runtime", "#c06572"),
            ("sync", "#a34c57"),
            ("python", "#e7a77b"),
            ("module", "#8c6d46"),
            ("annotation", "#9a8bca"),
            ("step", "#6f7fa8"),
        ],
    ),
    ("share", &[("idle", "#a6a6a6"), ("partial", "#8fb8de"), ("busy", "#2d6fb0")]),
    ("mark", &[("outlier", "#d55e00"), ("other", "#999999")]),
];

/// The color of a role: a mode, a resource, a part of a step, or `outlier`. Other words get gray.
///
/// ```
/// assert_eq!(tracelake_figure::color("train"), "#0072b2");
/// assert_eq!(tracelake_figure::color("something else"), tracelake_figure::color("other"));
/// ```
pub fn color(role: &str) -> &'static str {
    let mut roles = ROLES.iter().flat_map(|(_, roles)| roles.iter());
    roles.find(|(name, _)| *name == role).map_or("#999999", |(_, color)| color)
}

/// The color of a category of events or of a type of device work, the same in all figures.
pub(crate) fn work_color(category: &str) -> &'static str {
    color(match category {
        "computation" => "kernel",
        "memory" => "memcpy",
        "operator" => "cpu",
        "driver" => "runtime",
        "non_computation" => "other work",
        "phase" => "annotation",
        other => other,
    })
}

/// The color with an opacity from 0 to 1.
pub(crate) fn with_opacity(color: &str, opacity: f64) -> String {
    let [red, green, blue] = channels(color);
    format!("rgba({red},{green},{blue},{opacity})")
}

/// The color of [`with_opacity`] without its opacity, or `None` if the color has no opacity.
pub(crate) fn without_opacity(color: &str) -> Option<String> {
    let (rgb, _) = color.strip_prefix("rgba(")?.rsplit_once(',')?;
    Some(format!("rgb({rgb})"))
}

/// A gradient from idle to busy with `n` colors.
pub(crate) fn idle_to_busy(n: usize) -> Vec<String> {
    let stops = [color("idle"), color("partial"), color("busy")].map(channels);
    (0..n)
        .map(|index| {
            let position = if n < 2 { 2.0 } else { 2.0 * index as f64 / (n - 1) as f64 };
            let (start, end) = if position < 1.0 { (stops[0], stops[1]) } else { (stops[1], stops[2]) };
            let fraction = if position < 1.0 { position } else { position - 1.0 };
            let [red, green, blue] = [0, 1, 2].map(|c| (start[c] + (end[c] - start[c]) * fraction).round());
            format!("rgb({red},{green},{blue})")
        })
        .collect()
}

/// Red, green and blue of a color such as `#0072b2`, from 0 to 255.
pub(crate) fn channels(color: &str) -> [f64; 3] {
    [1, 3, 5].map(|start| {
        let hex = color.get(start..start + 2).unwrap_or("80");
        u8::from_str_radix(hex, 16).map_or(128.0, f64::from)
    })
}

/// The line style of the metric of a resource with this index.
pub(crate) fn dash(index: usize) -> DashType {
    match index % 4 {
        0 => DashType::Solid,
        1 => DashType::Dash,
        2 => DashType::Dot,
        _ => DashType::DashDot,
    }
}

/// Colors of a heatmap (cividis): dark for the minimum, bright for the maximum.
pub(crate) fn heatmap_colors() -> ColorScale {
    let stops = ["#00224e", "#35456c", "#666970", "#948e77", "#c8b866", "#fee838"];
    ColorScale::Vector(
        stops.iter().enumerate().map(|(i, stop)| ColorScaleElement(i as f64 / 5.0, (*stop).to_owned())).collect(),
    )
}

/// An axis in the common style. The title includes the unit.
pub(crate) fn axis(title: &str) -> Axis {
    Axis::new()
        .title(Title::with_text(title).font(Font::new().size(12)))
        .grid_color(GRID)
        .zero_line(false)
        .line_color(GRID)
        .color(INK)
        .auto_margin(true)
}

/// An axis in the common style that starts at zero. The title is `quantity (unit)`.
pub(crate) fn axis_from_zero(quantity: &str, unit: &str) -> Axis {
    axis(&format!("{quantity} ({unit})")).range_mode(RangeMode::ToZero)
}

/// A vertical axis with a row for each name, the first on top.
pub(crate) fn category_axis(mut names: Vec<String>) -> Axis {
    names.reverse();
    axis("").category_order(CategoryOrder::Array).category_array(names)
}

/// The color bar of a heatmap, at the top right.
pub(crate) fn color_bar(title: &str, height: usize) -> ColorBar {
    ColorBar::new()
        .title(Title::with_text(title))
        .thickness(12)
        .outline_width(0)
        .len_mode(ThicknessMode::Pixels)
        .len(height)
        .y(1.0)
        .y_anchor(Anchor::Top)
}

/// A time axis for values of [`super::label::time`]; `ts` is one of them. In UTC, or since the first event of a recording
/// without an epoch.
pub(crate) fn time_axis(ts: i64) -> Axis {
    if ts < MIN_EPOCH_TIME {
        return axis("time since the first event (ms)").type_(AxisType::Linear).n_ticks(6).tick_angle(0.0);
    }
    axis("time (UTC)").type_(AxisType::Date).hover_format("%Y-%m-%d %H:%M:%S.%3f UTC").n_ticks(6).tick_angle(0.0)
}

/// Controls of a figure. They have no links to other hosts, and plotly.js does not render formulas.
pub(crate) fn configuration() -> Configuration {
    use ModeBarButtonName::{AutoScale2d, Lasso2d, Pan2d, Select2d, Zoom2d, ZoomIn2d, ZoomOut2d};
    Configuration::new()
        .responsive(true)
        .typeset_math(false)
        .display_logo(false)
        .display_mode_bar(DisplayModeBar::Hover)
        .show_link(false)
        .mode_bar_buttons_to_remove(vec![AutoScale2d, Lasso2d, Pan2d, Select2d, Zoom2d, ZoomIn2d, ZoomOut2d])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn colors_of_a_family_are_distinct() {
        let marks = [color("outlier"), color("other")];
        for (family, roles) in ROLES {
            let colors: BTreeSet<&str> = roles.iter().map(|(_, color)| *color).collect();
            assert_eq!(colors.len(), roles.len(), "{family}");
            assert!(*family == "mark" || marks.iter().all(|mark| !colors.contains(mark)), "{family}");
        }
        let names: BTreeSet<&str> = ROLES.iter().flat_map(|(_, roles)| roles.iter().map(|(n, _)| *n)).collect();
        assert_eq!((work_color("computation"), work_color("driver")), (color("kernel"), color("runtime")));
        assert_eq!(work_color("something else"), color("other"));
        assert_eq!(names.len(), ROLES.iter().map(|(_, roles)| roles.len()).sum::<usize>());
    }

    /// Simulations of protanopia, deuteranopia and tritanopia in linear RGB (Machado, Oliveira and Fernandes 2009,
    /// severity 1), and the identity for normal vision.
    const VISIONS: [[[f64; 3]; 3]; 4] = [
        [[0.152_286, 1.052_583, -0.204_868], [0.114_503, 0.786_281, 0.099_216], [-0.003_882, -0.048_116, 1.051_998]],
        [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]],
        [[1.255_528, -0.076_749, -0.178_779], [-0.078_411, 0.930_809, 0.147_602], [0.004_733, 0.691_367, 0.303_900]],
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    ];

    fn to_linear(color: &str) -> [f64; 3] {
        let gamma = |v: f64| if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) };
        channels(color).map(|v| gamma(v / 255.0))
    }

    fn multiply(matrix: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
        matrix.map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum())
    }

    /// Converts linear sRGB to CIELAB.
    fn to_lab(rgb: [f64; 3]) -> [f64; 3] {
        let xyz = [
            [0.412_456_4 / 0.950_47, 0.357_576_1 / 0.950_47, 0.180_437_5 / 0.950_47],
            [0.212_672_9, 0.715_152_2, 0.072_175],
            [0.019_333_9 / 1.088_83, 0.119_192 / 1.088_83, 0.950_304_1 / 1.088_83],
        ];
        let edge: f64 = 6.0 / 29.0;
        let f = |t: f64| if t > edge.powi(3) { t.cbrt() } else { t / (3.0 * edge * edge) + 4.0 / 29.0 };
        let [x, y, z] = multiply(&xyz, rgb.map(|v| v.clamp(0.0, 1.0))).map(f);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// The minimum distance between two colors over all visions.
    fn distance(one: &str, other: &str) -> f64 {
        let simulate = |eye, color| to_lab(multiply(eye, to_linear(color)));
        let squared =
            |eye| -> f64 { simulate(eye, one).iter().zip(simulate(eye, other)).map(|(a, b)| (a - b).powi(2)).sum() };
        VISIONS.iter().map(|eye| squared(eye).sqrt()).fold(f64::INFINITY, f64::min)
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let luminance = |color| 0.05 + multiply(&[[0.2126, 0.7152, 0.0722]; 3], to_linear(color))[0];
        let (a, b) = (luminance(one), luminance(other));
        a.max(b) / a.min(b)
    }

    #[test]
    fn roles_that_appear_together_differ_in_each_vision() {
        // The just noticeable difference in CIELAB is 2.3. Lanes and rows also have names.
        let together: &[(&str, &[&str], f64)] = &[
            ("modes", &["train", "eval", "predict", "global", "outlier"], 15.0),
            ("resources", &["cpu", "gpu", "memory", "io", "network", "outlier"], 15.0),
            ("parts of a step", &["forward", "backward", "optimizer", "communication", "loader"], 13.0),
            ("a step", &["kernel", "communication", "memcpy", "runtime", "loader", "cpu", "other"], 13.8),
            ("device work", &["kernel", "communication", "memcpy", "memset"], 17.0),
            ("causes of waste", &["loader", "communication", "runtime", "idle"], 14.5),
            ("gaps", &["runtime", "kernel", "other work", "idle"], 14.5),
            ("shares", &["idle", "partial", "busy", "outlier"], 15.0),
            (
                "tracks",
                &[
                    "step",
                    "cpu",
                    "runtime",
                    "kernel",
                    "communication",
                    "annotation",
                    "memcpy",
                    "loader",
                    "python",
                    "module",
                    "memset",
                    "sync",
                ],
                9.5,
            ),
        ];
        for (figure, roles, min) in together {
            for (index, one) in roles.iter().enumerate() {
                for other in &roles[..index] {
                    let distance = distance(color(one), color(other));
                    assert!(distance >= *min, "{figure}: {one} and {other} have a distance of {distance:.1}");
                }
            }
        }
    }

    #[test]
    fn text_is_readable_on_its_background() {
        for dark in ["#000000", "#111111", "#1e1e1e", "#121212"] {
            assert!(contrast(ON_DARK, dark) >= 7.0, "{dark}");
        }
        assert!(contrast(ON_LIGHT, "#ffffff") >= 7.0 && contrast("#f4f5f7", HOVER) >= 7.0);
        // No color has a contrast of 4.5 on both; the best has 4.35.
        assert!(contrast(INK, "#ffffff") >= 4.2 && contrast(INK, "#111111") >= 4.2);
        for (_, roles) in ROLES {
            for (role, color) in *roles {
                assert!(contrast(color, "#111111") >= 3.0, "{role} is not visible on a dark background");
                assert!(contrast(color, "#ffffff") >= 1.6, "{role} is not visible on a light background");
            }
        }
    }

    #[test]
    fn colors_can_be_mixed() {
        assert_eq!(with_opacity("#0072b2", 0.15), "rgba(0,114,178,0.15)");
        assert_eq!(without_opacity(&with_opacity("#0072b2", 0.15)).as_deref(), Some("rgb(0,114,178)"));
        assert_eq!(without_opacity("#0072b2"), None);
        assert_eq!(idle_to_busy(3), ["rgb(166,166,166)", "rgb(143,184,222)", "rgb(45,111,176)"]);
        assert_eq!(idle_to_busy(1), ["rgb(45,111,176)"]);
        assert_eq!(idle_to_busy(5)[1], "rgb(155,175,194)");
    }
}
