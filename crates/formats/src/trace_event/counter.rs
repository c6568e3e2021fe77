//! Converts counter events to rows of `sample`, one for each number.

use super::Fields;
use crate::place::Place;
use crate::sagemaker_system::snake_case;
use crate::table::{Resource, Rows, Sample};
use crate::{json, secret};

/// The numbers of a counter, by name. None if there are none, or if the arguments are not an object.
pub(crate) fn values(fields: &Fields<'_>, place: Place, rows: &mut Rows) -> Option<Vec<(String, f64)>> {
    let mut values = Vec::new();
    let result = json::members(fields.args?, |key, raw| {
        let value = json::number_text(raw).parse::<f64>();
        if let Some(value) = value.ok().filter(|value| value.is_finite()) {
            values.push((secret::clean(key, place, rows).into_owned(), value));
        }
    });
    (result.is_ok() && !values.is_empty()).then_some(values)
}

/// Writes the numbers of a counter as rows of `sample`. `row` is the ordinal of the first row, and is
/// increased for each row.
#[expect(clippy::too_many_arguments, reason = "the parts of one event")]
pub(crate) fn samples(
    fields: &Fields<'_>,
    values: &[(String, f64)],
    node: Option<&str>,
    rank: Option<i64>,
    ts: Option<i64>,
    row: &mut i64,
    place: Place,
    rows: &mut Rows,
) {
    let name = fields.name.and_then(json::unquote).unwrap_or_default();
    let name = secret::clean(&name, place, rows);
    let metric = snake_case(&name);
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
