//! Converts counter events to rows of `sample`, one for each number.

use super::EventFields;
use crate::position::Position;
use crate::sagemaker_system::to_snake_case;
use crate::table::{Resource, Rows, Sample};
use crate::{json, secret};

/// The numbers of a counter, by name. None if there are none, or if the arguments are not an object.
pub(crate) fn values(fields: &EventFields<'_>, place: Position, rows: &mut Rows) -> Option<Vec<(String, f64)>> {
    let mut values = Vec::new();
    let result = json::visit_members(fields.args?, |key, raw| {
        let value = json::number_text(raw).parse::<f64>();
        if let Some(value) = value.ok().filter(|value| value.is_finite()) {
            values.push((secret::mask_and_report(key, place, rows).into_owned(), value));
        }
    });
    (result.is_ok() && !values.is_empty()).then_some(values)
}

/// Writes the numbers of a counter as rows of `sample`. `row` is the ordinal of the first row, and is
/// increased for each row.
#[expect(clippy::too_many_arguments, reason = "the parts of one event")]
pub(crate) fn samples(
    fields: &EventFields<'_>,
    values: &[(String, f64)],
    node: Option<&str>,
    rank: Option<i64>,
    ts: Option<i64>,
    row: &mut i64,
    place: Position,
    rows: &mut Rows,
) {
    let name = fields.name.and_then(json::unquote).unwrap_or_default();
    let name = secret::mask_and_report(&name, place, rows);
    let metric = to_snake_case(&name);
    for (key, value) in values {
        rows.sample(&Sample {
            node,
            rank,
            ts,
            resource: Some(Resource::Training.as_str()),
            metric: Some(&metric),
            value: Some(*value),
            raw_name: Some(&name),
            raw_dimension: Some(key),
            row: *row,
            ..Sample::default()
        });
        *row += 1;
    }
}
