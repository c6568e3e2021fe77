// Draws a figure, and requests the time window when the user zooms or pans.

const DELAY = 150; // ms without a move before a window is requested
const LOADED = Symbol.for("tracelake.plotly"); // one plotly.js for all figures of a page

function library(model) {
  globalThis[LOADED] ??= load(model).catch((error) => {
    delete globalThis[LOADED];
    throw error;
  });
  return globalThis[LOADED];
}

async function load(model) {
  const holder = await model.widget_manager.get_model(model.get("library").replace("IPY_MODEL_", ""));
  const module = { exports: {} };
  Function("module", "define", holder.get("text"))(module, undefined);
  return module.exports;
}

async function render({ model, el }) {
  const plot = document.createElement("div");
  plot.style.width = "100%";
  const status = document.createElement("pre");
  status.className = "tracelake-told";
  status.style.cssText = "margin:0 0 0 12px;white-space:pre-wrap;min-height:1.4em";
  el.classList.add("tracelake-explorer");
  el.append(plot, status);
  const Plotly = await library(model);
  let latest = model.get("request").number;
  let timer;
  let times = {};

  const sendRequest = (axis, range) => {
    latest = Math.max(latest, model.get("request").number) + 1; // from now on, results of earlier requests are ignored
    const request = { number: latest, range, time: times[axis] ?? null };
    status.textContent = "asking ...";
    clearTimeout(timer);
    timer = setTimeout(() => {
      model.set("request", request);
      model.save_changes();
    }, DELAY);
  };

  const config = {
    responsive: true,
    typesetMath: false,
    displaylogo: false,
    doubleClick: false, // Plotly would return to the previous window
    modeBarButtonsToRemove: ["autoScale2d", "lasso2d", "resetScale2d", "select2d"],
    modeBarButtonsToAdd: [
      { name: "whole", title: "Show the whole", icon: Plotly.Icons.home, click: () => sendRequest(null, null) },
    ],
  };

  const handleMove = (event) => {
    const axis = Object.keys(event).map((key) => /^(xaxis\d*)\.range/.exec(key)?.[1]).find(Boolean);
    if (axis) sendRequest(axis, [...plot.layout[axis].range]);
  };

  const show = async () => {
    const shown = model.get("shown");
    if (shown.number < latest) return; // the result of a later request will follow
    status.textContent = shown.problem;
    const isDrawn = plot.classList.contains("js-plotly-plot");
    if (shown.problem && isDrawn) return;
    times = shown.times;
    const { data, layout } = JSON.parse(shown.plot);
    await Plotly.react(plot, data, layout, config);
    if (isDrawn) return;
    plot.on("plotly_relayout", handleMove);
    plot.on("plotly_doubleclick", () => sendRequest(null, null));
  };

  model.on("change:shown", show);
  await show();
  return () => {
    clearTimeout(timer);
    model.off("change:shown", show);
    Plotly.purge(plot);
  };
}

export default { render };
