//! Kernels that took the most device time.

use std::fmt::Write as _;

use plotly::Plot;
use plotly::common::Orientation;
use plotly::layout::{BarMode, RangeMode};

use crate::kit::label::Scale;
use crate::kit::read::groups;
use crate::kit::sheet::Sheet;
use crate::kit::stack::Part;
use crate::kit::whose::Whose;
use crate::kit::{label, read, sheet, stack, theme, whose};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "kernel_top",
    doc: "The kernels and copies that took the most device time, over all ranks of a run; a panel per run.",
    queries: &[Ask::new("kernel.summary")],
    draw,
};

/// Maximum number of names in a panel, and of letters in a name next to its bar.
const NAMES: usize = 20;
const LETTERS: usize = 38;
const RUNS: usize = 4;
/// Types of work and their legend entries.
const TYPES: &[(&str, &str)] =
    &[("computation", "computation"), ("communication", "communication"), ("memory", "copies and fills")];

struct Row {
    whose: Whose,
    kind: String,
    name: String,
    n: i64,
    dur: i64,
    shortest: i64,
    longest: i64,
}

/// One name, summed over all ranks of a run.
struct Name<'a> {
    rows: Vec<&'a Row>,
    dur: i64,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let rows = rows(read::answer(frames, 0)?)?;
    if rows.is_empty() {
        let why = "No kernel, copy or fill was recorded. Either the job ran on the CPU, or the profiler did not record \
                   the device. Record with ProfilerActivity.CUDA. Figure operator_treemap shows the operators of the \
                   host.";
        return Ok(sheet::message("Top kernels", "no device work in this profile", why));
    }
    let mut notes = Vec::new();
    let mut runs = groups(rows.iter().map(|row| row.whose.run.as_str()));
    read::cap(&mut runs, RUNS, "runs", &mut notes);
    let mut sheet = Sheet::default();
    sheet.bars(BarMode::Overlay);
    let mut headline = String::new();
    for (run, members) in &runs {
        let rows: Vec<&Row> = members.iter().map(|row| &rows[*row]).collect();
        let whole: i64 = rows.iter().map(|row| row.dur).sum();
        let mut names: Vec<Name<'_>> = groups(rows.iter().map(|row| (row.kind.as_str(), row.name.as_str())))
            .into_iter()
            .map(|(_, places)| {
                let rows: Vec<&Row> = places.into_iter().map(|place| rows[place]).collect();
                Name { dur: rows.iter().map(|row| row.dur).sum(), rows }
            })
            .collect();
        names.sort_by(|a, b| (b.dur, &a.rows[0].name).cmp(&(a.dur, &b.rows[0].name)));
        if headline.is_empty() {
            headline = title(run, &names, whole, runs.len());
        }
        let all = names.len();
        names.truncate(NAMES);
        if names.len() < all {
            let share = label::share(names.iter().map(|name| name.dur as f64).sum(), whole as f64);
            let of = if runs.len() > 1 { format!(" of {}", label::clip(run, 20)) } else { String::new() };
            notes.push(format!("{NAMES} of {all} names{of} shown: {share} of the time"));
        }
        let ranks = groups(rows.iter().map(|row| (&row.whose.node, row.whose.rank))).len();
        let scale = Scale::time(names.first().map_or(0.0, |name| name.dur as f64));
        let over = if ranks > 1 {
            format!("sum over {ranks} ranks ({})", scale.unit)
        } else {
            format!("sum ({})", scale.unit)
        };
        let labels: Vec<String> = names.iter().map(|name| short(&name.rows[0].name)).collect();
        let x = theme::axis(&over).range_mode(RangeMode::ToZero);
        let at = sheet.panel(&format!("run {run}"), 22 + 18 * names.len(), x, stack::side(&labels), true);
        let parts = TYPES.iter().map(|(kind, name)| Part {
            name: (*name).to_owned(),
            color: theme::work(kind).to_owned(),
            // Bars of another type have length 0 here.
            values: names
                .iter()
                .map(|name| if name.rows[0].kind == *kind { scale.of(name.dur as f64) } else { 0.0 })
                .collect(),
            hover: names.iter().map(|name| hover(name, whole, ranks)).collect(),
        });
        stack::draw(&mut sheet, &at, parts.collect(), &Orientation::Horizontal);
    }
    Ok(sheet.plot(&headline, &notes))
}

fn rows(frame: &Frame) -> Result<Vec<Row>> {
    let (kinds, names) = (read::texts(frame, "type")?, read::texts(frame, "name")?);
    let column = |name| read::integers(frame, name);
    let (n, dur) = (column("n")?, column("dur_sum")?);
    let (shortest, longest) = (column("dur_min")?, column("dur_max")?);
    let rows = whose::whose(frame)?.into_iter().zip(kinds).zip(names).enumerate();
    let rows = rows.map(|(row, ((whose, kind), name))| Row {
        whose,
        kind,
        name,
        n: n[row].unwrap_or(0),
        dur: dur[row].unwrap_or(0),
        shortest: shortest[row].unwrap_or(0),
        longest: longest[row].unwrap_or(0),
    });
    Ok(rows.collect())
}

fn hover(name: &Name<'_>, whole: i64, ranks: usize) -> String {
    let n: i64 = name.rows.iter().map(|row| row.n).sum();
    let shortest = name.rows.iter().map(|row| row.shortest).min().unwrap_or(0);
    let longest = name.rows.iter().map(|row| row.longest).max().unwrap_or(0);
    let mut text = format!(
        "{}<br>{} of the device work: {}<br>{} times, each from {} to {}",
        label::whole(&name.rows[0].name),
        label::share(name.dur as f64, whole as f64),
        label::precise_duration(name.dur),
        label::grouped(n),
        label::precise_duration(shortest),
        label::precise_duration(longest)
    );
    if ranks > 1 {
        let by = |row: &&&Row| row.dur;
        let one = |row: Option<&&Row>| {
            row.map_or(String::new(), |row| {
                format!(
                    "{} ({})",
                    label::precise_duration(row.dur),
                    label::plain(&label::place(&row.whose.node, row.whose.rank))
                )
            })
        };
        let (least, most) = (name.rows.iter().min_by_key(by), name.rows.iter().max_by_key(by));
        let _ = write!(text, "<br>on {} of {ranks} ranks: from {} to {}", name.rows.len(), one(least), one(most));
    }
    text
}

/// `23 % of 1.2 s of device work in one kernel: ampere_sgemm_...`
fn title(run: &str, names: &[Name<'_>], whole: i64, runs: usize) -> String {
    let of = if runs > 1 { format!(" of {}", label::clip(run, 20)) } else { String::new() };
    names.first().map_or(String::new(), |name| {
        format!(
            "{} of {} of device work{of} in {}",
            label::share(name.dur as f64, whole as f64),
            label::duration(whole as f64),
            short(&name.rows[0].name)
        )
    })
}

/// The beginning of a name without `void` and the namespaces, which most kernels have in common.
pub(crate) fn short(name: &str) -> String {
    let bare = name.strip_prefix("void ").unwrap_or(name).replace("(anonymous namespace)::", "");
    let head = bare.find(['<', '(']).unwrap_or(bare.len());
    let from = bare[..head].rfind("::").map_or(0, |place| place + 2);
    label::clip(&bare[from..], LETTERS)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{frame, ints, known, message, none, texts, told, value};

    fn summary(names: usize) -> Frame {
        let own: Vec<String> = (0..names).map(|name| format!("void k{name}<float>()")).collect();
        let names: Vec<&str> = own.iter().chain(&own).map(String::as_str).collect();
        let n = names.len();
        let kinds: Vec<&str> =
            names.iter().map(|name| if name.contains("k1<") { "communication" } else { "computation" }).collect();
        let most = i64::try_from(2 * n).unwrap();
        let dur: Vec<i64> = (0..).take(n).map(|row| 1_000 * (most - row)).collect();
        frame(vec![
            texts("run", &vec!["a"; n]),
            texts("node", &vec!["n1"; n]),
            known("rank", &(0..n).map(|row| i64::from(row >= own.len())).collect::<Vec<_>>()),
            texts("type", &kinds),
            texts("name", &names),
            ints("n", &vec![1_000; n]),
            ints("dur_sum", &dur),
            ints("dur_min", &vec![1; n]),
            ints("dur_max", &vec![7_500; n]),
        ])
    }

    #[test]
    fn the_longest_stand_first_and_ranks_add_up() {
        let plot = value(&draw(&[summary(2)]).unwrap());
        let (computation, communication) = (&plot["data"][0], &plot["data"][1]);
        assert_eq!((&computation["x"], &communication["x"]), (&json!([14.0, 0.0]), &json!([0.0, 12.0])));
        assert_eq!(communication["marker"]["color"], theme::color("communication"));
        assert_eq!(
            computation["hovertext"][0],
            "void k0&lt;float&gt;()<br>53.8 % of the device work: 14 us<br>2,000 times, each from 1 ns to 7.5 us<br>\
             on 2 of 2 ranks: from 6 us (n1, rank 1) to 8 us (n1, rank 0)"
        );
        assert_eq!(plot["layout"]["yaxis"]["ticktext"], json!(["k0&lt;float&gt;()", "k1&lt;float&gt;()"]));
        assert_eq!(plot["layout"]["xaxis"]["title"]["text"], "sum over 2 ranks (us)");
        assert_eq!(told(&plot), "53.8 % of 26 us of device work in k0&lt;float&gt;()");
    }

    #[test]
    fn labels_begin_with_what_differs() {
        let names = [
            "void at::native::(anonymous namespace)::apply<Adam<float> >(int)",
            "sgemm_tn",
            "Memcpy HtoD (Pinned -> Device)",
        ];
        assert_eq!(names.map(short), ["apply<Adam<float> >(int)", "sgemm_tn", "Memcpy HtoD (Pinned -> Device)"]);
    }

    #[test]
    fn many_names_are_bounded() {
        let plot = value(&draw(&[summary(500)]).unwrap());
        assert_eq!(plot["data"][0]["x"].as_array().unwrap().len(), NAMES);
        assert!(told(&plot).contains("20 of 500 names shown"), "{}", told(&plot));
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&summary(1))]).unwrap());
        assert_eq!(title, "<b>Top kernels</b>");
        assert!(note.starts_with("<b>no device work in this profile</b>"), "{note}");
    }
}
