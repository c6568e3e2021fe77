//! Dataset items that took longest to read.

use plotly::Plot;

use crate::kit::label::Scale;
use crate::kit::read::{group_by, row_types};
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::stack::BarPart;
use crate::kit::{boxes, label, read, sheet, stack, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "item_time",
    doc: "The items of a dataset that took longest to read, compared with the median item; a panel per loader.",
    queries: &[FigureQuery { query: "loader.items", params: &[("limit", "40")] }],
    draw,
};

row_types! {
    /// An item of a dataset. Times are in ns.
    struct DatasetItem {
        run: String,
        node: String,
        rank: Option<i64>,
        loader: String,
        item: Option<i64>,
        worker: Option<i64>,
        accesses: Option<i64>,
        max: f64 = "dur_max",
        /// Median of all accesses of the loader.
        median: f64 = "dur_p50",
        message: String,
    }
}

impl DatasetItem {
    fn item_label(&self) -> String {
        self.item.map_or("no index".to_owned(), |item| format!("item {item}"))
    }

    fn worker_label(&self) -> String {
        self.worker.map_or("the training process".to_owned(), |worker| format!("worker {worker}"))
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let items = DatasetItem::read(read::frame(frames, 0)?)?;
    let Some(slowest) = items.iter().max_by(|a, b| a.max.total_cmp(&b.max)) else {
        let why = "No item of a dataset was recorded. tracelake.record records the items of a PyTorch DataLoader.";
        return Ok(sheet::message_plot("Slowest items", "no items of a dataset in this profile", why));
    };
    let mut notes = vec!["dashed: median of all accesses of the loader".to_owned()];
    let mut panels = group_by(&items, |item| (&item.run, &item.node, item.rank, &item.loader));
    let several = panels.len() > 1;
    read::truncate(&mut panels, PANELS, "loaders", &mut notes);
    let mut sheet = Sheet::default();
    for ((run, node, rank, loader), items) in &panels {
        let scale = Scale::time(items.iter().map(|item| item.max).fold(0.0, f64::max));
        let label = label::join(&[&label::process(run, node, *rank), loader], ", ");
        let x = theme::axis_from_zero("slowest access", scale.unit);
        let names: Vec<String> = items.iter().map(|item| item.item_label()).collect();
        let axes = stack::add_panel(&mut sheet, &label, 26 + 16 * names.len(), x, &names);
        let part = BarPart::new(
            "slowest access",
            theme::color("loader"),
            items,
            |item| scale.convert(item.max),
            |item| hover(item, &label, scale),
        );
        stack::draw(&mut sheet, &axes, [part]);
        if let Some(median) = items.iter().map(|item| item.median).find(|median| median.is_finite()) {
            boxes::draw_limit(&mut sheet, &axes, scale.convert(median));
        }
    }
    let loader = if several {
        let process = label::process(&slowest.run, &slowest.node, slowest.rank);
        format!(" of {}", label::join(&[&process, &slowest.loader], ", "))
    } else {
        String::new()
    };
    let title = format!(
        "Slowest: {}{loader} by {} in {}, the median item takes {}",
        slowest.item_label(),
        slowest.worker_label(),
        label::duration(slowest.max),
        label::duration(slowest.median)
    );
    Ok(sheet.into_plot(&title, &notes))
}

fn hover(item: &DatasetItem, loader: &str, scale: Scale) -> String {
    let message =
        if item.message.is_empty() { String::new() } else { format!("<br>{}", label::sanitize(&item.message)) };
    format!(
        "{}<br>{}, {}<br>{}, read {}{message}",
        label::sanitize(loader),
        item.item_label(),
        item.worker_label(),
        scale.text(item.max),
        label::count(item.accesses.unwrap_or(1), "time")
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, heading, ints, message, nullable_ints, texts, to_value, without_rows};

    fn items() -> Frame {
        frame(vec![
            texts("run", &["a", "a"]),
            texts("node", &["n", "n"]),
            nullable_ints("rank", &[0, 0]),
            texts("loader", &["train", "train"]),
            nullable_ints("item", &[7, -1]),
            nullable_ints("worker", &[1, -1]),
            ints("accesses", &[2, 1]),
            ints("dur_max", &[1_200_000_000, 20_000_000]),
            floats("dur_p50", &[5e6, 5e6]),
            texts("message", &["<7.png>", ""]),
        ])
    }

    #[test]
    fn the_slowest_items_are_bars_with_a_median_line() {
        let plot = to_value(&draw(&[items()]).unwrap());
        let bars = &plot["data"][0];
        assert_eq!((&bars["x"], &bars["y"]), (&json!([1.2, 0.02]), &json!([0.0, 1.0])));
        assert_eq!(plot["layout"]["yaxis"]["ticktext"], json!(["item 7", "no index"]));
        assert_eq!(
            bars["hovertext"][0],
            "run a, n, rank 0, train<br>item 7, worker 1<br>1.2 s, read 2 times<br>&lt;7.png&gt;"
        );
        assert_eq!(plot["layout"]["shapes"][0]["x0"], json!(0.005));
        assert_eq!(plot["layout"]["xaxis"]["title"]["text"], "slowest access (s)");
        assert!(
            heading(&plot).starts_with("Slowest: item 7 by worker 1 in 1.2 s, the median item takes 5 ms"),
            "{}",
            heading(&plot)
        );
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&items())]).unwrap());
        assert_eq!(title, "<b>Slowest items</b>");
        assert!(note.contains("tracelake.record"), "{note}");
    }
}
