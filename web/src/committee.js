/* SPDX-License-Identifier: MIT */
/* The answers of a committee: who speaks for a class, against it and for doubt, and how the views are joined. */
import { barChart, chartFigure } from "./charts.js";
import { clip, element, nameElement, rowsTable } from "./dom.js";
import { className } from "./node_words.js";
import { formatCount, formatNumber, formatPercent } from "./numbers.js";

/* With its sign, and enough digits to add up: 0.1234 -> "+0.123". */
export function formatSigned(value) {
    return (value < 0 ? "−" : "+") + Math.abs(value).toFixed(3);
}

/* The class that a contribution speaks for most; -1 if it adds more to doubt than to any class. */
export function spokenFor({ logits, doubt }) {
    const most = logits.indexOf(Math.max(...logits));
    return doubt > logits[most] ? -1 : most;
}

function sidesWords(sides, one, other) {
    const many = (count) => `${formatCount(count)} ${count === 1 ? "node" : "nodes"}`;
    return (
        `${many(sides.nodes[0])} ${one} (${formatSigned(sides.sum[0])}), ` +
        `${many(sides.nodes[1])} ${other} (${formatSigned(sides.sum[1])})`
    );
}

/* Which nodes speak for the answer, which against it, which make it look unlike anything labelled. */
export function logitsWords(nodes, node, found) {
    const answer = nodes.predicted[node];
    return element(
        "ul",
        { class: "sides" },
        element(
            "li",
            null,
            "For ",
            nameElement(className(nodes, answer), 60),
            ", against the mean of all classes: ",
            sidesWords(found.forClass[answer], "for it", "against it"),
            "."
        ),
        element(
            "li",
            null,
            "Unlike the labelled nodes: ",
            sidesWords(found.forDoubt, "for doubt", "against doubt"),
            `; with ${formatSigned(found.fixed)} that no single node gives, ${formatSigned(found.doubt)} in all.`
        )
    );
}

export function logitsTable(nodes, node, found, label, choose) {
    const answer = nodes.predicted[node];
    const most = Math.max(...found.given.map((one) => one.size), 1e-9);
    const number = (value) =>
        element(
            "td",
            { class: "number" },
            formatSigned(value),
            element("span", {
                class: value < 0 ? "share against" : "share",
                style: { width: `${(100 * Math.abs(value)) / most}%` }
            })
        );
    const speaks = (one) => {
        const best = spokenFor(one);
        return best < 0 ? element("em", null, "doubt") : nameElement(className(nodes, best), 30);
    };
    const who = (one) =>
        one.node === node
            ? "itself"
            : element(
                  "button",
                  { type: "button", title: clip(label(one.node), 300), onclick: () => choose(one.node) },
                  nameElement(label(one.node), 40)
              );
    const rows = found.given.map((one) =>
        element(
            "tr",
            null,
            element("td", null, who(one)),
            element("td", { class: "number" }, String(one.hops)),
            element("td", null, speaks(one)),
            number(one.logits[answer]),
            number(one.doubt)
        )
    );
    const plainRow = (name, logit, doubt) =>
        element(
            "tr",
            null,
            element("td", { colspan: "3" }, name),
            element("td", { class: "number" }, logit === null ? "" : formatSigned(logit)),
            element("td", { class: "number" }, formatSigned(doubt))
        );
    if (found.rest.count > 0)
        rows.push(
            plainRow(`${formatCount(found.rest.count)} others`, found.rest.logits[answer], found.rest.doubt)
        );
    rows.push(plainRow("From no node", null, found.fixed), plainRow("Sum", found.logits[answer], found.doubt));
    const heads = ["Node", "Hops", "Speaks for", "For the answer", "For doubt"];
    return element(
        "div",
        { class: "scroll logits", tabindex: "0", role: "group", "aria-label": "Where the answer comes from" },
        rowsTable(heads, rows, [1, 3, 4])
    );
}

const VIEW_WORDS = { alone: "alone", near: "near (2 hops)", far: "far" };

/* The weights by which a committee joins its views. */
export function viewsFigure({ networks, views }) {
    const names = views.map((view) => VIEW_WORDS[view.name] ?? clip(view.name, 20));
    const chart = barChart({
        title: "How much each view counts",
        names,
        y: { label: "weight" },
        series: [
            { name: "for the answer", values: views.map((view) => view.weight) },
            { name: "doubt: unlike labelled nodes", values: views.map((view) => view.unlike) },
            { name: "doubt: unsure of the class", values: views.map((view) => view.unsure) }
        ]
    });
    return chartFigure(chart, {
        note:
            `Each of the ${formatCount(networks)} networks sees a node alone (by its own features), with its ` +
            "neighbours two hops around (near), and with all that is linked to it (far). The weights were chosen by " +
            "labelled nodes that the networks had not seen. Those of the answer add up to 1; those of doubt " +
            "say how much each signal changes the epistemic score.",
        table: () => ({
            columns: ["view", "for the answer", "unlike labelled nodes", "unsure of the class"],
            rows: views.map((view, i) => [
                names[i],
                formatPercent(view.weight),
                formatNumber(view.unlike),
                formatNumber(view.unsure)
            ])
        })
    });
}
