/* SPDX-License-Identifier: MIT */
/* Elements and text. All of the user's text goes through textContent, clipped; nothing is ever parsed as HTML. Styles
 * are set through the CSSOM, so that the page's Content-Security-Policy needs no 'unsafe-inline'. */

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
        else if (name === "style")
            for (const [key, text] of Object.entries(value)) node.style.setProperty(key, text);
        else node.setAttribute(name, value === true ? "" : String(value));
    }
    for (const child of children.flat()) {
        if (child === null || child === undefined) continue;
        node.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
    return node;
}

/* element("p", {class: "note", onclick: f, style: {color: "red"}}, "text", otherElement, ...) */
export function element(name, attributes, ...children) {
    return fill(document.createElement(name), attributes, children);
}

export function svgElement(name, attributes, ...children) {
    return fill(document.createElementNS(SVG_NAMESPACE, name), attributes, children);
}

/* Characters that would break a line or change the direction of the text around them: controls, and those for
 * right-to-left order. */
const DISTURBING = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/g;

/* At most `most` characters of a text, "…" instead of the rest; never half a character. */
export function clip(text, most) {
    const start = String(text)
        .slice(0, 4 * most + 16)
        .replace(DISTURBING, " ");
    const characters = Array.from(start);
    if (characters.length <= most) return String(text).length > start.length ? start + "…" : start;
    return characters.slice(0, Math.max(most - 1, 0)).join("") + "…";
}

/* Names without their common beginning up to a separator, if it is long: {names, shared}. */
export function shortNames(names) {
    const texts = names.map(String);
    let shared = texts.length > 1 ? texts[0] : "";
    for (const text of texts) {
        let length = 0;
        while (length < shared.length && text[length] === shared[length]) length++;
        shared = shared.slice(0, length);
    }
    shared = /^.*[/:|.\s]/su.exec(shared)?.[0] ?? "";
    if (shared.length < 8 || texts.includes(shared)) return { names: texts, shared: "" };
    return { names: texts.map((text) => text.slice(shared.length)), shared };
}

/* A name from the user, in its own direction of writing; the style cuts off its end if there is no room. */
export function nameElement(text, most = 80) {
    return element("bdi", { class: "name", title: clip(text, 300) }, clip(text, most));
}

/* A table; cells are texts, numbers (aligned right) or elements. */
export function tableElement(columns, rows, caption) {
    const cell = (tag, value, scope) =>
        element(
            tag,
            { scope, class: typeof value === "number" ? "number" : null },
            typeof value === "string" ? clip(value, 200) : value
        );
    return element(
        "table",
        null,
        caption ? element("caption", null, caption) : null,
        element(
            "thead",
            null,
            element(
                "tr",
                null,
                columns.map((column) => cell("th", column, "col"))
            )
        ),
        element(
            "tbody",
            null,
            rows.map((row) =>
                element(
                    "tr",
                    null,
                    row.map((value) => cell("td", value))
                )
            )
        )
    );
}

/* A table of finished rows; the heads of columns with these numbers are aligned right, as their cells are. */
export function rowsTable(heads, rows, numbers = []) {
    const cells = heads.map((text, i) =>
        element("th", { scope: "col", class: numbers.includes(i) ? "number" : null }, text)
    );
    return element(
        "table",
        null,
        element("thead", null, element("tr", null, cells)),
        element("tbody", null, rows)
    );
}
