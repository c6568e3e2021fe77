//! Time of operators and of the operators nested in them.

use plotly::Plot;

use crate::kit::nested::{self, Measure, Node};
use crate::kit::{label, read, sheet};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "operator_treemap",
    doc: "Operators and their nested operators as nested areas: device time if there is any, else host time.",
    queries: &[FigureQuery::new("operator.call_tree")],
    draw,
};

/// Maximum number of boxes, not counting the ones that sum up the rest.
const NODES: usize = 400;

fn draw(frames: &[Frame]) -> Result<Plot> {
    let Some((nodes, measure)) = nested::read_tree(read::frame(frames, 0)?, None)? else {
        let why = "No operator or annotation of the host was recorded. Record with ProfilerActivity.CPU.";
        return Ok(sheet::message_plot("Operators", "no operators in this profile", why));
    };
    let mut notes = vec![match measure {
        Measure::Device => {
            "area: device time of the work that the calls launched, over all ranks; click to enlarge".to_owned()
        }
        Measure::Host => "area: time on the host, over all threads and ranks; click to enlarge".to_owned(),
    }];
    let drawn = nested::limit_nodes(&nodes, NODES, &mut notes);
    let boxes = nested::boxes("treemap", &drawn, 6, |node| label::clip(&node.name, 60));
    Ok(sheet::full_width_plot(&title(&nodes, measure), &notes, 520, Box::new(boxes), nested::legend(&drawn)))
}

/// `Self time of aten::mm is 32 % of 1.2 s of device time, aten::addmm 12 %`
fn title(nodes: &[Node], measure: Measure) -> String {
    let (what, own_time): (_, fn(&Node) -> i64) = match measure {
        Measure::Device => ("device time", |node| node.device_self),
        Measure::Host => ("host time", |node| node.host_self),
    };
    let (total, names) = nested::own_times(nodes, own_time);
    let texts = names.iter().take(2).enumerate().map(|(index, (name, own))| {
        let (name, share) = (label::clip(name, 40), label::percentage(*own as f64, total));
        if index > 0 {
            return format!("{name} {share}");
        }
        format!("Self time of {name} is {share} of {} of {what}", label::duration(total))
    });
    texts.collect::<Vec<String>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::nested::tests::call_tree;
    use crate::kit::testing::{heading, message, to_value, without_rows};
    use crate::kit::theme;

    #[test]
    fn boxes_contain_their_children() {
        let plot = to_value(&draw(&[call_tree(2, true)]).unwrap());
        let map = &plot["data"][0];
        assert_eq!((&map["type"], &map["branchvalues"]), (&json!("treemap"), &json!("total")));
        assert_eq!(map["labels"], json!(["run a", "&lt;step&gt;", "aten::op1", "aten::op0"]));
        assert_eq!(map["parents"], json!(["", "0", "1", "1"]));
        assert_eq!(map["values"], json!([12_000, 12_000, 8_000, 4_000]));
        assert_eq!(map["marker"]["colors"][2], theme::color("cpu"));
        assert_eq!(
            heading(&plot),
            "Self time of aten::op1 is 66.7 % of 12 us of device time, aten::op0 33.3 % | area: device time of the work that the calls launched, over all ranks; click to enlarge"
        );
    }

    #[test]
    fn the_number_of_boxes_is_limited() {
        let plot = to_value(&draw(&[call_tree(5_000, false)]).unwrap());
        assert_eq!(plot["data"][0]["values"].as_array().unwrap().len(), NODES + 1);
        assert!(
            heading(&plot).ends_with("the 400 largest of 5002 boxes are shown, the others are summed up"),
            "{}",
            heading(&plot)
        );
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&call_tree(1, true))]).unwrap());
        assert_eq!(title, "<b>Operators</b>");
        assert!(note.starts_with("<b>no operators in this profile</b>"), "{note}");
    }
}
