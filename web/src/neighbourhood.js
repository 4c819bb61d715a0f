/* SPDX-License-Identifier: MIT */
/* One node and where its answer comes from: a picture of the nodes that give most, and the same as a table. */
import { classLook } from "./colours.js";
import { formatSigned, logitsTable, logitsWords, spokenFor } from "./committee.js";
import { clip, element, nameElement, rowsTable, svgElement } from "./dom.js";
import { committeeContributions, contributions, edgesAmong, unpackGraph } from "./graph.js";
import { className, nodeWords } from "./node_words.js";
import { formatCount, formatPercent } from "./numbers.js";
import { currentTheme } from "./theme.js";

const SHOWN_CONTRIBUTIONS = 15,
    FLOW_SIZE = 420,
    FLOW_WIDTH = 560;

/* Places around the middle, in a circle of radius 1: one ring per distance, and a different direction for every node,
 * so that no stream covers another; connected nodes are side by side. */
export function ringPlaces(given, edges) {
    const distance = given.map((one) => (one.hops < 0 ? Infinity : one.hops));
    const levels = [...new Set(distance)].filter((hops) => hops > 0).sort((a, b) => a - b);
    const children = given.map(() => []),
        top = [];
    given.forEach((_, i) => {
        if (distance[i] === 0) return;
        const ends = edges.filter((edge) => edge.includes(i)).map(([a, b]) => (a === i ? b : a));
        const parent = ends.find((other) => distance[other] > 0 && distance[other] < distance[i]);
        (parent === undefined ? top : children[parent]).push(i);
    });
    const order = [];
    const visit = (i) => {
        order.push(i);
        children[i].forEach(visit);
    };
    top.forEach(visit);
    const places = given.map(() => ({ x: 0, y: 0 }));
    order.forEach((i, at) => {
        const turn = (2 * Math.PI * at) / order.length - Math.PI / 2;
        const radius = (levels.indexOf(distance[i]) + 1.6) / (levels.length + 0.6);
        places[i] = { x: radius * Math.cos(turn), y: radius * Math.sin(turn) };
    });
    return { places, radii: levels.map((_, level) => (level + 1.6) / (levels.length + 0.6)) };
}

/* What is given: [{node, hops, share, text}], drawn as wide as its share of the largest; colour(node) is CSS. */
function drawFlow(node, given, edges, label, colour, choose) {
    const listed = given.some((one) => one.node === node) ? given : [{ node, hops: 0, share: 0, text: "" }, ...given];
    const { places, radii } = ringPlaces(listed, edges(listed.map((one) => one.node)));
    const reach = FLOW_SIZE / 2 - 42;
    const at = (i) => [places[i].x * reach, places[i].y * reach].map((value) => Number(value.toFixed(1)));
    const most = Math.max(...listed.map((one) => one.share), 1e-9);
    const width = (share) => Math.max(0.8, (13 * share) / most);
    const svg = svgElement("svg", {
        viewBox: `${-FLOW_WIDTH / 2} ${-FLOW_SIZE / 2} ${FLOW_WIDTH} ${FLOW_SIZE}`,
        class: "flow-picture",
        role: "img",
        "aria-label": `Node ${node} and the ${given.length} nodes that give it most, as in the table`
    });
    for (const radius of radii) svg.append(svgElement("circle", { r: radius * reach, class: "hop" }));
    listed.forEach((one, i) => {
        if (one.node === node) return;
        const [x, y] = at(i);
        svg.append(
            svgElement("line", {
                x1: x,
                y1: y,
                x2: 0,
                y2: 0,
                class: one.hops === 1 ? "stream" : "stream far",
                style: { stroke: colour(one.node), "stroke-width": `${width(one.share)}px` }
            })
        );
    });
    for (const [a, b] of edges(listed.map((one) => one.node))) {
        const [x1, y1] = at(a),
            [x2, y2] = at(b);
        svg.append(svgElement("line", { x1, y1, x2, y2, class: "edge" }));
    }
    listed.forEach((one, i) => {
        const [x, y] = at(i),
            middle = one.node === node,
            radius = middle ? 13 : 6 + 7 * Math.sqrt(one.share / most);
        svg.append(
            svgElement(
                "circle",
                {
                    cx: x,
                    cy: y,
                    r: radius,
                    class: middle ? "spot middle" : "spot",
                    style: { fill: colour(one.node) },
                    onclick: () => middle || choose(one.node)
                },
                svgElement("title", null, `${clip(label(one.node), 200)}: ${one.text}`)
            )
        );
    });
    listed.forEach((one, i) => {
        if (one.node === node) return;
        const [x, y] = at(i),
            length = Math.hypot(x, y),
            out = 17;
        const aside = Math.abs(x / length) > 0.3;
        svg.append(
            svgElement(
                "text",
                {
                    x: x + (out * x) / length,
                    y: y + (out * y) / length + 4,
                    "text-anchor": !aside ? "middle" : x > 0 ? "start" : "end"
                },
                "\u2068" + clip(label(one.node), 9) + "\u2069"
            )
        );
    });
    return svg;
}

function flowTable(nodes, node, found, label, ownClass, choose) {
    const most = Math.max(...found.given.map((one) => one.share), 1e-9);
    const bar = (share) => element("span", { class: "share", style: { width: `${(100 * share) / most}%` } });
    const rows = found.given.map((one) =>
        element(
            "tr",
            null,
            element(
                "td",
                null,
                one.node === node
                    ? "itself"
                    : element(
                          "button",
                          {
                              type: "button",
                              title: clip(label(one.node), 300),
                              onclick: () => choose(one.node)
                          },
                          nameElement(label(one.node), 40)
                      )
            ),
            element("td", { class: "number" }, one.hops < 0 ? "–" : String(one.hops)),
            element(
                "td",
                null,
                nameElement(className(nodes, ownClass ? ownClass[one.node] : nodes.predicted[one.node]), 30)
            ),
            element("td", { class: "number" }, formatPercent(one.share), bar(one.share))
        )
    );
    if (found.rest.count > 0)
        rows.push(
            element(
                "tr",
                null,
                element("td", { colspan: "3" }, `${formatCount(found.rest.count)} others`),
                element("td", { class: "number" }, formatPercent(found.rest.share))
            )
        );
    return element(
        "div",
        {
            class: "scroll",
            tabindex: "0",
            role: "group",
            "aria-label": "Where the evidence comes from"
        },
        rowsTable(["Node", "Hops", "Its features say", "Share"], rows, [1, 3])
    );
}

/* Why the origin of evidence is not shown for a kind of model. */
function whyNot(kind) {
    if (kind === "lp" || kind === "gkde")
        return "Its evidence comes from the training nodes near it: 'credence explain' lists them.";
    if (kind === "committee")
        return "This graph is too large to show here where answers come from: 'credence explain' lists the nodes.";
    return "The answers of this kind of model are no sum over nodes: nobody can say where they come from.";
}

/* Shows nodes in `root`: returns show(node). Calls choose(node) when another one is clicked. */
export function makeNeighbourhood(part, nodes, root, names, choose) {
    let graph = null,
        latest = -1;
    const isCommittee = part.has("views") && part.has("own_logits"),
        canExplain = part.has("graph") && (isCommittee || part.has("own"));

    async function explain(node, label) {
        const packed = await part.later("graph");
        graph ??= unpackGraph(packed, nodes.count);
        const edges = (list) => edgesAmong(graph, list);
        return isCommittee ? explainLogits(node, label, edges) : explainEvidence(node, label, edges);
    }

    async function explainLogits(node, label, edges) {
        const own = await part.later("own_logits"),
            views = part.blocks.get("views"),
            theme = currentTheme();
        const found = committeeContributions(graph, own, node, views, nodes.known, SHOWN_CONTRIBUTIONS);
        const answer = nodes.predicted[node];
        const given = found.given.map((one) => ({
            node: one.node,
            hops: one.hops,
            share: one.size,
            text: `${formatSigned(one.logits[answer])} for the answer, ${formatSigned(one.doubt)} for doubt`
        }));
        const best = new Map(found.given.map((one) => [one.node, spokenFor(one)]));
        const colour = (i) =>
            best.get(i) === -1 ? "var(--out)" : classLook(best.get(i) ?? nodes.predicted[i], theme).css;
        return [
            element(
                "p",
                { class: "note" },
                "Where its answer comes from: every node's own features speak for classes and for doubt, and the " +
                    "graph carries it on; all numbers are logits before calibration, and add up. Thick " +
                    "lines are as wide as what a node gives, in the colour of the class that it speaks for, black " +
                    "(white in dark colours) where it speaks for doubt most (broken where the node is no neighbour); " +
                    "thin lines are edges of the graph; rings are hops."
            ),
            logitsWords(nodes, node, found),
            element(
                "div",
                { class: "flow" },
                drawFlow(node, given, edges, label, colour, choose),
                logitsTable(nodes, node, found, label, choose)
            )
        ];
    }

    async function explainEvidence(node, label, edges) {
        const own = await part.later("own");
        const ownClass = part.has("own_class") ? await part.later("own_class") : null;
        const found = contributions(graph, own, node, part.blocks.get("facts").model.config, SHOWN_CONTRIBUTIONS);
        if (found.given.length === 0)
            return [element("p", { class: "note" }, "No node gives this one any evidence.")];
        const theme = currentTheme(),
            colour = (i) => classLook(ownClass ? ownClass[i] : nodes.predicted[i], theme).css;
        const given = found.given.map((one) => ({ ...one, text: formatPercent(one.share) }));
        return [
            element(
                "p",
                { class: "note" },
                "Where its evidence comes from: every node's own features give evidence, and the " +
                    "graph carries it on. Thick lines are evidence flowing in, as wide as its share, in " +
                    "the colour of the class that it speaks for (broken where the node is no neighbour); " +
                    "thin lines are edges of the graph; rings are hops."
            ),
            element(
                "div",
                { class: "flow" },
                drawFlow(node, given, edges, label, colour, choose),
                flowTable(nodes, node, found, label, ownClass, choose)
            )
        ];
    }

    return async function show(node) {
        latest = node;
        const known = await names();
        const label = (i) => (known ? String(known[i]) : formatCount(i));
        const content = canExplain
            ? await explain(node, label).catch((error) => [
                  element("p", { class: "alert", role: "alert" }, `The report is damaged: ${clip(error.message, 200)}`)
              ])
            : [element("p", { class: "note" }, whyNot(part.blocks.get("facts")?.model?.model))];
        if (latest !== node) return;
        root.replaceChildren(
            element(
                "h3",
                null,
                `Node ${formatCount(node)}`,
                known ? ": " : null,
                known ? nameElement(known[node], 80) : null
            ),
            element(
                "div",
                { class: "node-facts" },
                nodeWords(nodes, node, undefined)
                    .slice(1)
                    .map(([what, value]) =>
                        element(
                            "div",
                            null,
                            element("span", { class: "what" }, what),
                            element("bdi", null, value)
                        )
                    )
            ),
            ...content
        );
        root.hidden = false;
    };
}
