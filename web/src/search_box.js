/* SPDX-License-Identifier: MIT */
/* A field that finds nodes, with a list below it, by keyboard (arrows, Enter, Escape) or pointer. */
import { clip, element, nameElement } from "./dom.js";
import { formatCount } from "./numbers.js";
import { foldNames, searchNodes } from "./search.js";

/* names(): Promise of the names, or null; choose(node) is called for the chosen one. */
export function makeSearchBox(count, names, choose) {
    const list = element("ul", {
        class: "found",
        id: "search-results",
        role: "listbox",
        "aria-label": "Nodes found",
        hidden: true
    });
    const input = element("input", {
        type: "search",
        role: "combobox",
        "aria-expanded": "false",
        "aria-controls": "search-results",
        "aria-autocomplete": "list",
        "aria-label": "Find a node by number or name",
        placeholder: "Find a node by number or name",
        autocomplete: "off",
        spellcheck: "false"
    });
    const status = element("span", { class: "hidden-text", role: "status" });
    let found = [],
        at = -1,
        known = null,
        folded = null;

    function close() {
        list.hidden = true;
        input.setAttribute("aria-expanded", "false");
        input.removeAttribute("aria-activedescendant");
    }

    function select(place) {
        at = place;
        [...list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === at)));
        if (at >= 0) {
            input.setAttribute("aria-activedescendant", `search-result-${at}`);
            list.children[at]?.scrollIntoView({ block: "nearest" });
        }
    }

    function take(place) {
        if (!(place in found)) return;
        close();
        choose(found[place]);
    }

    async function search() {
        if (folded === null) {
            known = await names();
            folded = known ? foldNames(known) : undefined;
        }
        found = searchNodes(input.value, count, folded ?? null);
        const wanted = input.value.trim() !== "";
        list.replaceChildren(
            ...found.map((node, i) =>
                element(
                    "li",
                    {
                        role: "option",
                        id: `search-result-${i}`,
                        "aria-selected": "false",
                        onpointerdown: (event) => event.preventDefault(),
                        onclick: () => take(i)
                    },
                    element("span", null, formatCount(node)),
                    known ? nameElement(known[node], 80) : null
                )
            )
        );
        if (wanted && found.length === 0)
            list.append(
                element(
                    "li",
                    { role: "option", "aria-disabled": "true" },
                    `No node is called ${clip(input.value, 40)}.`
                )
            );
        list.hidden = !wanted;
        input.setAttribute("aria-expanded", String(wanted));
        status.textContent = wanted ? `${found.length} found` : "";
        select(found.length > 0 ? 0 : -1);
    }

    input.addEventListener("input", search);
    input.addEventListener("focus", () => input.value.trim() && search());
    input.addEventListener("blur", close);
    input.addEventListener("keydown", (event) => {
        if (event.key === "ArrowDown" && found.length) select((at + 1) % found.length);
        else if (event.key === "ArrowUp" && found.length) select((at + found.length - 1) % found.length);
        else if (event.key === "Enter") take(at);
        else if (event.key === "Escape" && !list.hidden) close();
        else return;
        event.preventDefault();
    });
    return element("div", { class: "search" }, input, list, status);
}
