//! Time of operators and of the operators nested in them.

use plotly::Plot;

use crate::kit::nested::{Boxes, Measure, Node};
use crate::kit::{label, nested, read, sheet};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "operator_treemap",
    doc: "Operators and their nested operators as nested areas: device time if there is any, else host time.",
    queries: &[Ask::new("operator.call_tree")],
    draw,
};

/// Maximum number of boxes, not counting the ones that sum up the rest.
const NODES: usize = 400;

fn draw(frames: &[Frame]) -> Result<Plot> {
    let Some((nodes, measure)) = nested::tree(read::answer(frames, 0)?, None)? else {
        let why = "No operator or annotation of the host was recorded. Record with ProfilerActivity.CPU.";
        return Ok(sheet::message("Operators", "no operators in this profile", why));
    };
    let kept = nested::bounded(&nodes, NODES);
    let mut notes = vec![match measure {
        Measure::Device => {
            "area: device time of the work that the calls launched, over all ranks; click to enlarge".to_owned()
        }
        Measure::Host => "area: time on the host, over all threads and ranks; click to enlarge".to_owned(),
    }];
    let drawn = kept.iter().filter(|node| node.summed == 0).count();
    let there = nodes.iter().filter(|node| node.value > 0).count();
    if drawn < there {
        notes.push(format!("the {drawn} largest of {there} boxes are shown, the others are summed up"));
    }
    let boxes = Boxes::new("treemap", &kept, 6, |node| label::clip(&node.name, 60));
    Ok(sheet::whole(&title(&nodes, measure), &notes, 520, Box::new(boxes)))
}

/// `self time of aten::mm is 32 % of 1.2 s of device time, aten::addmm 12 %`
fn title(nodes: &[Node], measure: Measure) -> String {
    let whole: i64 = nodes.iter().filter(|node| node.parent.is_none()).map(|node| node.value).sum();
    let mut names: std::collections::BTreeMap<&str, i64> = std::collections::BTreeMap::new();
    for node in nodes.iter().filter(|node| node.parent.is_some()) {
        *names.entry(&node.name).or_default() += node.own;
    }
    let mut names: Vec<(&str, i64)> = names.into_iter().collect();
    names.sort_by_key(|(_, own)| std::cmp::Reverse(*own));
    let of = if measure == Measure::Device { "device time" } else { "host time" };
    let texts: Vec<String> = names
        .iter()
        .take(2)
        .enumerate()
        .map(|(place, (name, own))| {
            let (name, share) = (label::clip(name, 40), label::share(*own as f64, whole as f64));
            if place > 0 {
                return format!("{name} {share}");
            }
            format!("self time of {name} is {share} of {} of {of}", label::duration(whole as f64))
        })
        .collect();
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::nested::tests::calls_of;
    use crate::kit::testing::{message, none, told, value};
    use crate::kit::theme;

    #[test]
    fn boxes_hold_what_they_contain() {
        let plot = value(&draw(&[calls_of(2, true)]).unwrap());
        let map = &plot["data"][0];
        assert_eq!((&map["type"], &map["branchvalues"]), (&json!("treemap"), &json!("total")));
        assert_eq!(map["labels"], json!(["run a", "&lt;step&gt;", "aten::op1", "aten::op0"]));
        assert_eq!(map["parents"], json!(["", "0", "1", "1"]));
        assert_eq!(map["values"], json!([12_000, 12_000, 8_000, 4_000]));
        assert_eq!(map["marker"]["colors"][2], theme::color("cpu"));
        assert_eq!(
            told(&plot),
            "self time of aten::op1 is 66.7 % of 12 us of device time, aten::op0 33.3 % | area: device time of the work that the calls launched, over all ranks; click to enlarge"
        );
    }

    #[test]
    fn boxes_are_bounded() {
        let plot = value(&draw(&[calls_of(5_000, false)]).unwrap());
        assert_eq!(plot["data"][0]["values"].as_array().unwrap().len(), NODES + 1);
        assert!(
            told(&plot).ends_with("the 400 largest of 5002 boxes are shown, the others are summed up"),
            "{}",
            told(&plot)
        );
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&calls_of(1, true))]).unwrap());
        assert_eq!(title, "<b>Operators</b>");
        assert!(note.starts_with("<b>no operators in this profile</b>"), "{note}");
    }
}
