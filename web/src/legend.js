/* SPDX-License-Identifier: MIT */
/* The map's legend: what colours, shapes and sizes mean. Entries are buttons that hide and show. */
import { formatColour, sequentialColour } from "./colours.js";
import { clip, element, nameElement, svgElement } from "./dom.js";
import { formatCount, formatNumber, formatPower } from "./numbers.js";
import { doubtRange, isDoubtful, stepRadii } from "./points.js";
import { RADIUS_STEPS } from "./raster.js";
import { quantile } from "./scales.js";

const SHAPE_PATHS = {
    circle: "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0Z",
    square: "M-5.4 -5.4H5.4V5.4H-5.4Z",
    triangle: "M0 -7L6.2 4.4H-6.2Z",
    diamond: "M0 -7.2L7.2 0L0 7.2L-7.2 0Z",
    cross: "M-2.3 -6.6H2.3V-2.3H6.6V2.3H2.3V6.6H-2.3V2.3H-6.6V-2.3H-2.3Z"
};

function swatch({ shape, css }, ring = false) {
    return svgElement(
        "svg",
        { viewBox: "-9 -9 18 18", class: ring ? "swatch ring-swatch" : "swatch", "aria-hidden": "true" },
        svgElement("path", { d: SHAPE_PATHS[shape], style: { fill: css } })
    );
}

function scaleBar(nodes, colouring, theme) {
    const [low, high] = doubtRange(nodes, colouring);
    const stops = Array.from({ length: 12 }, (_, i) => formatColour(sequentialColour(i / 11, theme)));
    const text =
        colouring !== "epistemic"
            ? formatNumber
            : (value) => (nodes.score ? formatNumber(value) : formatPower(-value, 2));
    return element(
        "div",
        { class: "scale" },
        element("div", {
            class: "scale-bar",
            style: { background: `linear-gradient(to right, ${stops.join(", ")})` }
        }),
        element(
            "div",
            { class: "scale-ends" },
            element("span", null, "little doubt", element("br"), text(low)),
            element("span", null, "much doubt", element("br"), text(high))
        ),
        element(
            "p",
            { class: "note" },
            colouring === "aleatoric"
                ? "1 − probability of the answer: the answer is ambiguous."
                : colouring === "doubt"
                  ? "The share of calibration nodes, all of known classes, that are less unlike the labelled nodes: " +
                    "of a thousand nodes of known classes, about ten have more than 0.99."
                : nodes.score
                  ? "The model's own score: the node is unlike those of training."
                  : "By evidence, on a logarithmic scale: with little, a node is unlike those of training."
        )
    );
}

function sizes(nodes, across) {
    const most = quantile(nodes.sortedEvidence, 0.99),
        radii = stepRadii(nodes.count, across, 1, 1);
    const shown = [0, 5, 10, RADIUS_STEPS - 1].map((step) => ({
        radius: radii[step],
        text: step === 0 ? "0" : formatPower(most + 2 * Math.log10(step / (RADIUS_STEPS - 1)), 2)
    }));
    return element(
        "div",
        { class: "sizes" },
        shown.map(({ radius, text }, i) =>
            element(
                "span",
                null,
                svgElement(
                    "svg",
                    { viewBox: "-9 -9 18 18", class: "swatch", "aria-hidden": "true" },
                    svgElement("circle", { r: radius, class: "size" })
                ),
                i === shown.length - 1 ? "≥ " + text : text
            )
        )
    );
}

/* options: those of makeMap's show; the buttons call `toggle(place)`, `showAll()` and `hideAll()`. */
export function drawLegendOf(root, nodes, look, { options, theme, across, actions }) {
    const doubtful = isDoubtful(options.colouring);
    const items = look.entries
        .map((entry, i) => {
            const isOut = options.apart && i === look.entries.length - 1;
            if (entry.count === 0 && !(isOut && nodes.outCount > 0)) return null;
            return element(
                "li",
                null,
                element(
                    "button",
                    {
                        type: "button",
                        class: "entry",
                        "aria-pressed": String(!options.hidden.has(i)),
                        title: `${clip(entry.name, 200)}: ${options.hidden.has(i) ? "show" : "hide"}`,
                        onclick: () => actions.toggle(i)
                    },
                    swatch(
                        { shape: entry.shape, css: doubtful && isOut ? "var(--panel)" : entry.css },
                        isOut && doubtful
                    ),
                    nameElement(entry.name, 48),
                    element("span", { class: "count" }, formatCount(entry.count))
                )
            );
        })
        .filter(Boolean);
    const outWords = doubtful ? "ringed in black (white in dark colours)" : "black (white in dark colours)";
    root.replaceChildren(
        ...[
            element("h3", null, "Colour"),
            doubtful ? scaleBar(nodes, options.colouring, theme) : null,
            element(
                "ul",
                { class: items.length > 8 ? "entries" : "entries few", "aria-label": "Show or hide" },
                items
            ),
            items.length > 3
                ? element(
                      "p",
                      { class: "entry-all" },
                      element("button", { type: "button", onclick: actions.showAll }, "Show all"),
                      element("button", { type: "button", onclick: actions.hideAll }, "Hide all")
                  )
                : null,
            nodes.shared && !doubtful
                ? element("p", { class: "note" }, "All names begin with ", nameElement(nodes.shared, 60), ".")
                : null,
            options.apart && nodes.outCount > 0
                ? element(
                      "p",
                      { class: "note" },
                      `Out of distribution: nodes of classes that the model never saw; ${outWords}.`
                  )
                : null,
            options.byEvidence && nodes.evidence ? element("h3", null, "Size") : null,
            options.byEvidence && nodes.evidence ? sizes(nodes, across) : null,
            options.byEvidence && nodes.evidence
                ? element(
                      "p",
                      { class: "note" },
                      "The diameter grows with the square root of the node's evidence."
                  )
                : null
        ].filter(Boolean)
    );
}
