/* SPDX-License-Identifier: MIT */
/* The map with its switches, search and legend, and below it the chosen node. */
import { element } from "./dom.js";
import { drawLegendOf } from "./legend.js";
import { makeMap } from "./map.js";
import { makeNeighbourhood } from "./neighbourhood.js";
import { nodeWords } from "./node_words.js";
import { formatCount, formatNumber } from "./numbers.js";
import { COLOURINGS, colouringsOf } from "./points.js";
import { makeSearchBox } from "./search_box.js";
import { currentTheme, onTheme } from "./theme.js";

function mapSentence(facts, count) {
    const map = facts?.map;
    const how = map
        ? `${map.method ?? "t-SNE"} of the ${map.of ?? "latent space"}` +
          (map.perplexity
              ? ` (perplexity ${formatNumber(map.perplexity)}` +
                (typeof map.divergence === "number" ? `, divergence ${formatNumber(map.divergence)})` : ")")
              : "")
        : "";
    return (
        `Each of the ${formatCount(count)} points is a node; what looks alike to the model is near. ` +
        (how ? `A ${how}; distances between clusters, and the axes, mean little. ` : "") +
        "Drag to move, scroll or pinch to zoom, click a node to see where its answer comes from."
    );
}

export function showMap(part, nodes, root) {
    const names = part.has("names") ? () => part.later("names").catch(() => null) : () => Promise.resolve(null);
    let knownNames = null;
    if (part.has("names"))
        part.later("names").then((list) => {
            knownNames = list;
        });
    const options = {
        colouring: "truth",
        apart: nodes.outCount > 0,
        byEvidence: nodes.evidence !== null,
        hidden: new Set()
    };
    if (!nodes.label.some((label) => label >= 0)) options.colouring = "predicted";

    const chosen = element("section", {
        class: "panel chosen-node",
        "aria-live": "polite",
        "aria-label": "The chosen node",
        hidden: true
    });
    const showNode = makeNeighbourhood(part, nodes, chosen, names, (node) => goTo(node));
    const map = makeMap(nodes, {
        words: (node) => nodeWords(nodes, node, knownNames?.[node]),
        choose: (node) => showNode(node)
    });
    const goTo = (node) => {
        map.goTo(node);
        return showNode(node);
    };
    const legend = element("div", {
        class: "map-side",
        role: "group",
        "aria-label": "Legend of the map",
        tabindex: "0"
    });

    let look = null;
    const legendActions = {
        toggle(place) {
            if (!options.hidden.delete(place)) options.hidden.add(place);
            const focused = [...legend.querySelectorAll(".entry")].indexOf(document.activeElement);
            update();
            legend.querySelectorAll(".entry")[focused]?.focus();
        },
        showAll() {
            options.hidden.clear();
            update();
        },
        hideAll() {
            look.entries.forEach((_, i) => options.hidden.add(i));
            update();
        }
    };
    function drawLegend() {
        drawLegendOf(legend, nodes, look, {
            options,
            theme: currentTheme(),
            across: Math.min(map.box.clientWidth, map.box.clientHeight),
            actions: legendActions
        });
    }
    function update() {
        look = map.show(options);
        drawLegend();
    }
    onTheme(() => drawLegend());

    const select = element(
        "select",
        {
            id: "colour-by",
            onchange: () => {
                options.colouring = select.value;
                options.hidden.clear();
                update();
            }
        },
        colouringsOf(nodes).map((name) =>
            element("option", { value: name, selected: name === options.colouring }, COLOURINGS[name])
        )
    );
    const box = (name, text) =>
        element(
            "label",
            null,
            element("input", {
                type: "checkbox",
                checked: true,
                onchange: (event) => {
                    options[name] = event.target.checked;
                    options.hidden.clear();
                    update();
                }
            }),
            text
        );
    const search = makeSearchBox(nodes.count, names, goTo);
    root.append(
        element("p", { class: "note" }, mapSentence(part.blocks.get("facts"), nodes.count)),
        element(
            "div",
            { class: "map-tools" },
            element("label", null, "Colour by", select),
            nodes.outCount > 0 ? box("apart", "Mark what is out of distribution") : null,
            nodes.evidence ? box("byEvidence", "Size by evidence") : null,
            search
        ),
        element("div", { class: "map-area" }, map.box, legend),
        chosen
    );
    update();
}
