// Draws a figure, and asks for the window of time into which a reader zooms or pans.

const PATIENCE = 150; // ms without a move before a window is asked for
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
  const place = document.createElement("div");
  place.style.width = "100%";
  const told = document.createElement("pre");
  told.className = "tracelake-told";
  told.style.cssText = "margin:0 0 0 12px;white-space:pre-wrap;min-height:1.4em";
  el.classList.add("tracelake-explorer");
  el.append(place, told);
  const Plotly = await library(model);
  let asked = model.get("asked").number;
  let timer;
  let times = {};

  const ask = (axis, range) => {
    asked = Math.max(asked, model.get("asked").number) + 1; // from now on answers to others come too late
    const question = { number: asked, range, time: times[axis] ?? null };
    told.textContent = "asking ...";
    clearTimeout(timer);
    timer = setTimeout(() => {
      model.set("asked", question);
      model.save_changes();
    }, PATIENCE);
  };

  const config = {
    responsive: true,
    typesetMath: false,
    displaylogo: false,
    doubleClick: false, // Plotly would go back to the window before
    modeBarButtonsToRemove: ["autoScale2d", "lasso2d", "resetScale2d", "select2d"],
    modeBarButtonsToAdd: [
      { name: "whole", title: "Show the whole", icon: Plotly.Icons.home, click: () => ask(null, null) },
    ],
  };

  const moved = (event) => {
    const axis = Object.keys(event).map((key) => /^(xaxis\d*)\.range/.exec(key)?.[1]).find(Boolean);
    if (axis) ask(axis, [...place.layout[axis].range]);
  };

  const show = async () => {
    const shown = model.get("shown");
    if (shown.number < asked) return; // a later question is on its way
    told.textContent = shown.problem;
    const drawn = place.classList.contains("js-plotly-plot");
    if (shown.problem && drawn) return;
    times = shown.times;
    const { data, layout } = JSON.parse(shown.plot);
    await Plotly.react(place, data, layout, config);
    if (drawn) return;
    place.on("plotly_relayout", moved);
    place.on("plotly_doubleclick", () => ask(null, null));
  };

  model.on("change:shown", show);
  await show();
  return () => {
    clearTimeout(timer);
    model.off("change:shown", show);
    Plotly.purge(place);
  };
}

export default { render };
