//! Exports a figure as JSON, as an HTML fragment, and as an HTML page. No output names an external host.
//!
//! plotly.js comes from the plotly crate, without the formula renderer. Its source contains addresses of map servers
//! and addresses in comments. They are removed, so that a page cannot lead a browser to another host.

use std::sync::LazyLock;

use plotly::Plot;
use serde_json::Value;

use crate::kit::{label, theme};

/// The figure as JSON for plotly.js and the MIME type `application/vnd.plotly.v1+json`: `data`, `layout` and `config`.
/// Every `<` is escaped, so that the JSON is safe inside a script. The values are unchanged.
pub fn to_json(plot: &Plot) -> String {
    let mut value = serde_json::to_value(plot).unwrap_or_default();
    if let Value::Object(fields) = &mut value {
        fields.retain(|_, value| !value.is_null());
    }
    let text = value.to_string();
    text.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// The figure as JSON for a notebook, on white. JupyterLab changes the width itself: with `responsive`, the figure would
/// lose its height then. VS Code needs `responsive`.
#[expect(clippy::disallowed_methods, reason = "only the environment tells which program shows the notebook")]
pub(super) fn to_notebook_json(json: &str) -> String {
    let json = json
        .replace("\"paper_bgcolor\":\"rgba(0,0,0,0)\"", "\"paper_bgcolor\":\"#ffffff\"")
        .replace(theme::INK, theme::ON_LIGHT);
    let is_in_vs_code = std::env::var_os("VSCODE_PID").is_some();
    if is_in_vs_code { json } else { json.replace("\"responsive\":true", "\"responsive\":false") }
}

/// An id computed from the content of the figure: `figure-` and 16 hexadecimal digits.
pub fn content_id(plot: &Plot) -> String {
    // FNV-1a: short, and the same on every machine.
    let hash = to_json(plot)
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("figure-{hash:016x}")
}

/// The figure as HTML for a page that already has plotly.js.
///
/// # Examples
/// ```
/// use tracelake_figure as figure;
///
/// let plot = plotly::Plot::new();
/// let html = figure::to_html_part(&plot, &figure::content_id(&plot));
/// assert!(html.starts_with("<div id=\"figure-"));
/// ```
pub fn to_html_part(plot: &Plot, id: &str) -> String {
    let json = to_json(plot);
    let height = height(&serde_json::to_value(plot.layout()).unwrap_or_default());
    // A page may show the same figure twice, so the script fills every empty element with this id. The text color depends
    // on the background of the figure, and changes when the reader switches between light and dark. Printed pages are
    // light.
    format!(
        "<div id=\"{id}\" class=\"tracelake-figure\" style=\"width:100%;min-height:{height}px\"></div>\n<script>\n\
         (function(){{\nvar figure={json};\n\
         if(!window.Plotly)return;\n\
         var night=matchMedia('(prefers-color-scheme: dark)'),paper=matchMedia('print');\n\
         function dark(place){{\n\
         if(paper.matches)return false;\n\
         for(var at=place;at;at=at.parentElement){{\n\
         var ground=getComputedStyle(at).backgroundColor.match(/[\\d.]+/g);\n\
         if(ground&&(ground.length<4||ground[3]>0.5))return 0.3*ground[0]+0.6*ground[1]+0.1*ground[2]<128;\n}}\n\
         return night.matches&&/dark/.test(getComputedStyle(document.documentElement).colorScheme);\n}}\n\
         {FIT_TITLE}\n\
         function inked(place){{\n\
         var one=JSON.parse(JSON.stringify(figure).split('{ink}').join(dark(place)?'{dark}':'{light}'));\n\
         one.layout.uirevision='{id}';\n\
         fitTitle(one.layout,place.clientWidth);\n\
         return one;\n}}\n\
         document.querySelectorAll('[id=\"{id}\"]:not(.js-plotly-plot)').forEach(function(place){{\n\
         var one=inked(place),width=place.clientWidth;\n\
         place.style.minHeight=one.layout.height+'px';\n\
         Plotly.newPlot(place,one.data,one.layout,one.config);\n\
         function redraw(){{\n\
         if(!place.isConnected)return;\n\
         one=inked(place);\n\
         place.style.minHeight=one.layout.height+'px';\n\
         Plotly.react(place,one.data,one.layout,one.config);\n}}\n\
         [night,paper].forEach(function(query){{query.addEventListener('change',redraw);}});\n\
         new ResizeObserver(function(){{\n\
         if(place.clientWidth===width)return;\n\
         width=place.clientWidth;\n\
         redraw();\n}}).observe(place);\n}});\n}})();\n</script>\n",
        id = sanitize_id(id),
        dark = theme::ON_DARK,
        light = theme::ON_LIGHT,
        ink = theme::INK,
    )
}

/// A function of JavaScript that breaks the lines of a title at the width of the figure, in pixels, instead of at
/// [`SOFT_BREAK`], and adapts the height.
const FIT_TITLE: &str = "\
function fitTitle(layout,width){
var title=layout.title||{},text=title.text;
if(!text||!layout.margin||width<100)return;
var context=document.createElement('canvas').getContext('2d'),soft=/<br >/g;
function fit(html,font){
context.font=font+' '+layout.font.family;
return html.split('<br>').map(function(line){
var words=line.replace(soft,' ').split(' '),lines=[];
words.forEach(function(word){
var longer=lines.length?lines[lines.length-1]+' '+word:word;
var plain=longer.replace(/&[a-z]+;/g,'&');
if(!lines.length||context.measureText(plain).width<width-90||/^(ns|us|ms|s|min|h|%|[kMGT]?B\\/s)[,;):]*$/.test(word))lines[Math.max(lines.length-1,0)]=longer;
else lines.push(word);
});
return lines.join('<br >');
}).join('<br>');
}
function count(html){return html.split(/<br ?>/).length;}
var parts=text.match(/^<b>([^]*?)<\\/b>(?:(<br><span[^>]*>)([^]*)<\\/span>)?$/);
if(!parts)return;
title.text='<b>'+fit(parts[1],'bold '+title.font.size+'px')+'</b>'+(parts[2]?parts[2]+fit(parts[3],'11px')+'</span>':'');
var less=20*(count(text)-count(title.text));
layout.height-=less;
layout.margin.t-=less;
title.y=1-24/layout.height;
}";

/// Height of a figure with this layout in pixels. The default is that of plotly.js, 450.
pub(super) fn height(layout: &Value) -> u32 {
    let height = layout.get("height").and_then(Value::as_u64);
    height.and_then(|height| u32::try_from(height).ok()).unwrap_or(450)
}

/// HTML for a notebook. It includes plotly.js for pages that do not have it, and works without network.
///
/// # Shape
/// About 4.7 MB, nearly all of it plotly.js. [`to_html_part`] returns only the figure.
pub fn to_html_block(part: &str) -> String {
    // The library is text and runs only if the page has none, so that it costs no execution time. Without `define`,
    // require.js does not treat it as a module, and `window.Plotly` is set.
    format!(
        "<script type=\"text/plain\" class=\"tracelake-plotly\">{}</script>\n<script>\n\
         if(!window.Plotly){{(function(){{\n\
         var text=document.querySelector('script.tracelake-plotly');\n\
         if(!text)return;\n\
         var script=document.createElement('script');\n\
         script.textContent=text.textContent;\n\
         var define=window.define;window.define=undefined;\n\
         document.head.appendChild(script);\n\
         window.define=define;\n}})();}}\n</script>\n{part}",
        library()
    )
}

/// A complete page with all parts. It follows the reader's light or dark mode and blocks network access.
pub fn to_html_page(parts: &[&str], title: &str) -> String {
    let style = "body{font-family:system-ui,sans-serif;max-width:1200px;margin:1rem auto;padding:0 .5rem}\n\
         h1{font-size:1.3rem}\nh2{font-size:1rem;margin:2rem 0 0}\n.tracelake-figure{margin-bottom:1.5rem}";
    document(title, style, library(), &format!("<h1>{}</h1>\n{}", label::escape(title), parts.concat()))
}

/// A JavaScript expression for a page with plotly.js. Its value is a picture of the figure on white, in base64. For `pdf`,
/// the page then shows the figure and can be printed. Height 0 is that of the figure.
pub(crate) fn picture_script(json: &str, form: &str, width: u32, height: u32, scale: f64) -> String {
    let format = if form == "pdf" { "svg" } else { form };
    // Vector graphics have no pixels.
    let scale = if format == "svg" { 1.0 } else { scale };
    let figure = json.replace(theme::INK, theme::ON_LIGHT);
    format!(
        "(async()=>{{\nconst figure={figure};\nfigure.layout.paper_bgcolor='#ffffff';\n{FIT_TITLE}\n\
         fitTitle(figure.layout,{width});\n\
         if({height}){{figure.layout.height={height};figure.layout.title.y=1-24/{height};}}\n\
         const url=await Plotly.toImage(figure,{{format:'{format}',width:{width},height:figure.layout.height,scale:{scale}}});\n\
         const content=url.slice(url.indexOf(',')+1);\nif('{format}'!=='svg')return content;\n\
         const text=decodeURIComponent(content);\ndocument.body.innerHTML='{form}'==='pdf'?text:'';\n\
         document.head.insertAdjacentHTML('beforeend','<style>@page{{margin:0;size:{width}px '+(figure.layout.height+2)+'px}}</style>');\n\
         return btoa(unescape(encodeURIComponent(text)));\n}})()"
    )
}

/// The template of all pages: a script such as plotly.js, the reader's light or dark mode, and no network access. The
/// title is text, the body is HTML.
#[doc(hidden)]
pub fn document(title: &str, style: &str, script: &str, body: &str) -> String {
    let title = label::escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{SECURITY_POLICY}\">\n<title>{title}</title>\n\
         <style>\n:root{{color-scheme:light dark}}\nbody{{background:Canvas;color:CanvasText}}\n{style}\n</style>\n\
         <script>{script}</script>\n</head>\n<body>\n<noscript>The figures need JavaScript.</noscript>\n{body}</body>\n</html>\n"
    )
}

/// Content security policy: a page loads nothing from other hosts.
const SECURITY_POLICY: &str =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:";

/// Replaces all characters of an id that need quoting in HTML or JavaScript.
fn sanitize_id(id: &str) -> String {
    id.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' }).collect()
}

/// The plotly.js that pages include, without addresses of other hosts, for programs that draw figures themselves.
///
/// # Examples
/// ```
/// assert!(tracelake_figure::library().contains("Plotly"));
/// ```
pub fn library() -> &'static str {
    static LIBRARY: LazyLock<String> = LazyLock::new(|| {
        let scripts = Plot::offline_js_sources();
        let first = scripts.split_once('>').map_or("", |(_, rest)| rest);
        remove_hosts(first.split_once("</script>").map_or("", |(script, _)| script))
    });
    &LIBRARY
}

/// Host of XML namespaces. They look like addresses, but are only compared as text, never fetched.
const NAMESPACE_HOST: &str = "www.w3.org";

/// Replaces every address `http://host` or `https://host` with an address without a target.
fn remove_hosts(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("http") {
        let (before, after) = rest.split_at(start);
        out.push_str(before);
        let scheme = ["https://", "http://"].into_iter().find(|scheme| after.starts_with(scheme));
        let Some(scheme) = scheme else {
            out.push_str("http");
            rest = &after[4..];
            continue;
        };
        let tail = &after[scheme.len()..];
        let end = tail.find(|c: char| !(c.is_ascii_alphanumeric() || ".-_:@".contains(c))).unwrap_or(tail.len());
        match &tail[..end] {
            "" | NAMESPACE_HOST => out.push_str(&after[..scheme.len() + end]),
            _ => out.push_str("about:blank#"),
        }
        rest = &tail[end..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use plotly::Scatter;

    use super::*;

    /// The hosts in the addresses of a text.
    fn hosts(text: &str) -> Vec<String> {
        let mut hosts: Vec<String> = text
            .split("://")
            .skip(1)
            .map(|rest| rest.chars().take_while(|c| c.is_ascii_alphanumeric() || ".-".contains(*c)).collect())
            .filter(|host: &String| host.contains('.') && host != NAMESPACE_HOST)
            .collect();
        hosts.sort();
        hosts.dedup();
        hosts
    }

    fn hostile_plot() -> Plot {
        let mut plot = Plot::new();
        plot.add_trace(Scatter::new(vec![1], vec![2]).name("</script><script>alert(1)</script>"));
        plot
    }

    #[test]
    fn json_is_safe_inside_a_script_and_keeps_its_values() {
        let json = to_json(&hostile_plot());
        assert!(!json.contains('<'), "{json}");
        let value: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value["data"][0]["name"], "</script><script>alert(1)</script>");
        assert_eq!(value.as_object().unwrap().keys().collect::<Vec<_>>(), ["config", "data", "layout"]);
    }

    #[test]
    fn ids_depend_on_the_content() {
        let id = content_id(&hostile_plot());
        assert_eq!(id, content_id(&hostile_plot()));
        assert_ne!(id, content_id(&Plot::new()));
        assert_eq!((id.len(), &id[..7]), (23, "figure-"));
        assert!(to_html_part(&Plot::new(), "a\"><b").starts_with("<div id=\"a---b\""));
    }

    #[test]
    fn no_output_names_an_external_host() {
        let plot = hostile_plot();
        let part = to_html_part(&plot, "x");
        for html in [to_html_block(&part), to_html_page(&[&part], "t"), to_json(&plot)] {
            assert_eq!(hosts(&html), Vec::<String>::new());
            assert!(!html.contains("cdn.plot.ly") && !html.contains("MathJax.js"));
        }
    }

    #[test]
    fn a_page_contains_the_whole_library_once() {
        let html = to_html_page(&[to_html_part(&hostile_plot(), "a").as_str(); 2], "two <figures>");
        assert_eq!(html.matches("window.Plotly = Plotly;").count(), 1);
        assert_eq!(html.matches("Plotly.newPlot(place").count(), 2);
        assert!(html.contains("<title>two &lt;figures&gt;</title>"));
        assert!(library().len() > 4_000_000 && !library().contains("</script"));
        assert!(library().contains("http://www.w3.org/2000/svg"));
        // The page has as many script end tags as start tags, whatever names it contains.
        assert_eq!(html.matches("</script>").count(), 3);
    }

    #[test]
    fn addresses_are_removed() {
        let text = "a('https://cdn.example.com/x.js', \"http://www.w3.org/2000/svg\", 'https://' + h) // http";
        let expected = "a('about:blank#/x.js', \"http://www.w3.org/2000/svg\", 'https://' + h) // http";
        assert_eq!(remove_hosts(text), expected);
        assert_eq!(hosts(text), ["cdn.example.com"]);
    }
}
