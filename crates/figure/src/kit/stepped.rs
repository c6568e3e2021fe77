//! Step plot of a value that holds until it changes, in bins with their minimum, maximum and last value.

use plotly::Scatter;
use plotly::common::{Fill, HoverInfo, Line, Mode};

use crate::kit::sheet::{Place, Sheet};
use crate::kit::{label, theme};

/// One bin, with values in the unit of the axis.
#[derive(Debug, Clone)]
pub(crate) struct Stepped {
    pub(crate) ts: i64,
    pub(crate) dur: i64,
    pub(crate) min: f64,
    pub(crate) max: f64,
    /// The value from the last change of the bin to the next bin.
    pub(crate) last: f64,
    pub(crate) hover: String,
}

/// Draws the maximum as a line and the range below it as an area. Between bins, the last value holds.
pub(crate) fn draw(sheet: &mut Sheet, at: &Place, bins: &[Stepped], name: &str, color: &str) {
    let (mut x, mut low, mut high, mut hover) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (place, bin) in bins.iter().enumerate() {
        let end = bin.ts.saturating_add(bin.dur);
        let mut push = |ts: i64, least: f64, most: f64| {
            x.push(label::time(ts));
            low.push(least);
            high.push(most);
            hover.push(bin.hover.clone());
        };
        push(bin.ts, bin.min, bin.max);
        push(end, bin.min, bin.max);
        if let Some(next) = bins.get(place + 1).filter(|next| next.ts > end) {
            push(end, bin.last, bin.last);
            push(next.ts, bin.last, bin.last);
        }
    }
    let line = |values: Vec<f64>| Scatter::new(x.clone(), values).mode(Mode::Lines).x_axis(&at.x).y_axis(&at.y);
    let least = line(low).line(Line::new().width(0.0)).hover_info(HoverInfo::Skip);
    sheet.trace(least.show_legend(false).legend_group(label::plain(name)));
    let show = sheet.first(name);
    sheet.trace(
        line(high)
            .line(Line::new().color(color.to_owned()).width(1.5))
            .name(label::plain(name))
            .legend_group(label::plain(name))
            .show_legend(show)
            .fill(Fill::ToNextY)
            .fill_color(theme::faint(color, 0.25))
            .hover_text_array(hover)
            .hover_template("%{hovertext}<extra></extra>"),
    );
}
