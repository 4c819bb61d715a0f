/* SPDX-License-Identifier: MIT */
/* Controls for choosing and sorting. */
import { clip, element } from "./dom.js";
import { isNumber } from "./numbers.js";

/* A labelled list to choose from: options are [{value: text, text}]. */
export function chooser(label, options, value, onChoose) {
    const select = element("select", { onchange: () => onChoose(select.value) },
        options.map((option) => element("option", { value: option.value, selected: option.value === value },
            clip(option.text, 80))));
    return element("label", null, element("span", { class: "note" }, label), select);
}

/* Choosers above the content they change: draw(state) returns the elements for a state; each chooser changes one field
 * of the state. `choosers` are [{field, label, options}]; one with a single option is not shown. */
export function chosenView(state, choosers, draw) {
    const view = element("div", { class: "charts" });
    const show = () => view.replaceChildren(...draw(state));
    const shown = choosers.filter(({ options }) => options.length > 1);
    show();
    return element("div", null,
        shown.length === 0 ? null : element("div", { class: "choosers" }, shown.map(({ field, label, options }) =>
            chooser(label, options, state[field], (value) => {
                state[field] = value;
                show();
            }))),
        view);
}

/* The width of a chart that has the whole line to itself: on a phone no wider than others, so that its text stays as
 * large. */
export function wholeLine(width) {
    return document.documentElement.clientWidth < 640 ? Math.min(width, 440) : width;
}

/* Numbers come first, in ascending order; then texts in alphabetical order. */
export function compareCells(a, b) {
    if (isNumber(a) && isNumber(b)) return a - b;
    if (isNumber(a) !== isNumber(b)) return isNumber(a) ? -1 : 1;
    return String(a ?? "").localeCompare(String(b ?? ""), "en");
}

/* A table that its headings sort. columns: [{title, number: true}]; rows: [{cells: [{text, value}], class}]. `value`
 * is the sort key (default: the text), and a text may be an element. */
export function sortableTable(columns, rows, caption) {
    const body = element("tbody");
    const fillBody = (order) => body.replaceChildren(...order.map((row) =>
        element("tr", { class: row.class }, row.cells.map((cell, c) =>
            element("td", { class: columns[c].number ? "number" : null },
                typeof cell.text === "string" ? clip(cell.text, 200) : cell.text)))));
    const headings = columns.map((column, c) => {
        const heading = element("th", { scope: "col", class: column.number ? "number" : null });
        heading.append(element("button", { type: "button", class: "sort", onclick: () => {
            const falling = heading.getAttribute("aria-sort") === "ascending";
            for (const other of headings) other.removeAttribute("aria-sort");
            heading.setAttribute("aria-sort", falling ? "descending" : "ascending");
            const key = (row) => row.cells[c].value ?? row.cells[c].text;
            const none = (row) => row.cells[c].value === null;
            fillBody([...rows].sort((a, b) => none(a) - none(b) ||
                (falling ? -1 : 1) * compareCells(key(a), key(b))));
        } }, clip(column.title, 60)));
        return heading;
    });
    fillBody(rows);
    return element("div", { class: "scroll whole", tabindex: "0" },
        element("table", { class: "sortable" }, caption ? element("caption", null, caption) : null,
            element("thead", null, element("tr", null, headings)), body));
}

/* Names and their values: [["Seeds", "1–10"], ...]; null values are left out. */
export function factList(facts) {
    return element("dl", { class: "facts" }, facts.filter(([, value]) => value !== null && value !== "").flatMap(
        ([name, value]) => [element("dt", null, name), element("dd", null, value)]));
}

/* The commands that made something, as a user can type them. */
export function commandList(commands) {
    if (commands.length === 0) return null;
    return element("pre", { class: "scroll commands", tabindex: "0" },
        commands.map((one) => clip(one, 4000)).join("\n"));
}
