// A prebuilt extension of JupyterLab, without a build step. When the width of a figure changes, Plotly's renderer measures
// the height of its element and uses it as the new height of the figure. Without this rule, that height includes a scroll
// bar, so each change to a smaller width would add 15 pixels.
var _JUPYTERLAB = globalThis._JUPYTERLAB ?? {};
_JUPYTERLAB["tracelake"] = {
  init: () => undefined,
  get: () =>
    Promise.resolve(() => ({
      __esModule: true,
      default: {
        id: "tracelake:figure-height",
        autoStart: true,
        activate: () => {
          const style = document.createElement("style");
          style.textContent = ".jp-RenderedPlotly { box-sizing: content-box }";
          document.head.append(style);
        },
      },
    })),
};
