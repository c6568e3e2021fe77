//! What is drawn between two axes, as the elements of SVG. Marks that are smaller than a pixel are merged.

use std::fmt::Write as _;

use super::text::{short, width, write_text};
use crate::kit::label::escape;

/// Number of points above which a line is reduced: two in each column of pixels.
const MANY_POINTS: usize = 1500;

pub(super) type Point = (f64, f64);

/// A shape with some color: a rectangle from the first point to the second one, a line or an area that is interrupted
/// where a point is missing, or a dot.
pub(super) struct Mark {
    pub(super) kind: MarkKind,
    pub(super) points: Vec<Option<Point>>,
    pub(super) color: String,
}

#[derive(Debug, PartialEq)]
pub(super) enum MarkKind {
    /// With a label.
    Rect(Option<String>),
    /// With the lengths of its dashes; empty for a solid line.
    Line(&'static str),
    Area,
    /// With its diameter in pixels.
    Dot(f64),
}

impl Mark {
    pub(super) fn new(kind: MarkKind, points: &[Point], color: &str) -> Self {
        Self { kind, points: points.iter().copied().map(Some).collect(), color: color.to_owned() }
    }
}

/// Draws marks at the positions that `pixel` returns. Rectangles of one color in a row are one element.
pub(super) fn draw(svg: &mut String, marks: &[Mark], pixel: impl Fn(Point) -> Point) {
    let mut texts = String::new();
    let is_rect = |mark: &Mark| matches!(mark.kind, MarkKind::Rect(_));
    for marks in marks.chunk_by(|a, b| is_rect(a) && is_rect(b) && a.color == b.color) {
        let mut rects = Vec::new();
        for mark in marks {
            let points: Vec<Option<Point>> = mark.points.iter().map(|point| point.map(&pixel)).collect();
            let color = escape(&mark.color);
            let _ = match (&mark.kind, &points[..]) {
                (MarkKind::Rect(text), [Some((x0, y0)), Some((x1, y1))]) => {
                    rects.push(((*x0, *y0), (*x1, *y1)));
                    let fits = |text: &&String| width(text) < (x1 - x0).abs() && (y1 - y0).abs() > 10.0;
                    if let Some(text) = text.as_ref().filter(fits) {
                        let middle = (f64::midpoint(*x0, *x1), f64::midpoint(*y0, *y1) + 4.0);
                        write_text(&mut texts, middle, "middle", 11.0, text);
                    }
                    Ok(())
                }
                (MarkKind::Dot(size), [Some((x, y))]) => {
                    let [x, y, radius] = [*x, *y, size / 2.0].map(short);
                    writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{color}\"/>")
                }
                (MarkKind::Area, points) => writeln!(svg, "<path d=\"{}\" fill=\"{color}\"/>", path(points)),
                (MarkKind::Line(dash), points) => {
                    let dash = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
                    writeln!(svg, "<path d=\"{}\" fill=\"none\" stroke=\"{color}\"{dash}/>", path(points))
                }
                _ => Ok(()),
            };
        }
        write_rects(svg, &marks[0].color, &rects);
    }
    svg.push_str(&texts);
}

/// The path of a line, which is interrupted where a point is missing. In a line with many points, the first, the lowest, the
/// highest and the last one of a column of pixels remain.
fn path(points: &[Option<Point>]) -> String {
    let column = |point: &Option<Point>| point.map(|(x, _)| x.round() as i64);
    let height = |point: &&Option<Point>| point.map_or(0.0, |(_, y)| y);
    let mut drawn: Vec<&Option<Point>> = Vec::new();
    for part in points.chunk_by(|a, b| column(a) == column(b)) {
        if points.len() <= MANY_POINTS || part.len() <= 4 {
            drawn.extend(part);
            continue;
        }
        let lowest = part.iter().min_by(|a, b| height(a).total_cmp(&height(b)));
        let highest = part.iter().max_by(|a, b| height(a).total_cmp(&height(b)));
        let mut extremes: Vec<_> = [part.first(), lowest, highest, part.last()].into_iter().flatten().collect();
        extremes.dedup();
        drawn.extend(extremes);
    }
    let (mut path, mut is_new) = (String::new(), true);
    for point in drawn {
        if let Some((x, y)) = point {
            let _ = write!(path, "{}{} {}", if is_new { 'M' } else { 'L' }, short(*x), short(*y));
        }
        is_new = point.is_none();
    }
    path
}

/// Writes rectangles of one color as one path. Of those that cover the same pixel, only the first one is drawn.
pub(super) fn write_rects(svg: &mut String, fill: &str, rects: &[(Point, Point)]) {
    let (mut path, mut last) = (String::new(), None);
    for ((x0, y0), (x1, y1)) in rects {
        let (x, y, width, height) = (x0.min(*x1), y0.min(*y1), (x1 - x0).abs(), (y1 - y0).abs());
        let place = (x.round() as i64, y.round() as i64, height.round() as i64);
        let is_repeated = width < 1.0 && last.replace(place) == Some(place);
        if width > 0.0 && height > 0.0 && (x + y + width + height).is_finite() && !is_repeated {
            let [x, y, width, height] = [x, y, width.max(0.6), height.max(0.6)].map(short);
            let _ = write!(path, "M{x} {y}h{width}v{height}h-{width}z");
        }
    }
    if !path.is_empty() {
        let _ = writeln!(svg, "<path d=\"{path}\" fill=\"{}\"/>", escape(fill));
    }
}
