/* SPDX-License-Identifier: MIT */
/* The page: unpacks its blocks and shows its parts one at a time. */
import { findBlocks, unpackPart } from "./blocks.js";
import { clip, element, nameElement } from "./dom.js";
import { showExperiment } from "./experiment.js";
import { LAZY_BLOCKS, showModel } from "./model.js";
import { startTheme } from "./theme.js";
import { showTuning } from "./tuning.js";

const SHOW_PART = { model: showModel, experiment: showExperiment, tuning: showTuning };
const PART_WORDS = {
    model: "What a trained model knows, and where it says that it does not",
    experiment: "Many models, trained and measured side by side",
    tuning: "What was tried to make a model better"
};

function fail(content, message) {
    content.replaceChildren(element("p", { class: "alert", role: "alert" }, message));
}

function failDamaged(content, error) {
    console.error(error);
    fail(content, `The report is damaged: ${clip(error?.message ?? error, 200)}`);
}

function fillPart(part, root, titled) {
    if (titled) root.append(element("h2", { class: "part-title" }, nameElement(part.title)));
    const show = SHOW_PART[part.kind];
    if (show) show(part, root);
    else
        root.append(
            element("p", { class: "alert" }, `This page does not know parts of the kind ${clip(part.kind, 40)}.`)
        );
}

/* A part is made when it is first opened, and kept. Unpacking takes a while: if several parts are requested meanwhile,
 * the last one is shown. */
function partOpener(page, blocks, content) {
    const roots = new Map(),
        unpacked = new Map();
    let wanted = -1;
    return async (index) => {
        const description = page.parts[index];
        wanted = index;
        content.replaceChildren();
        document.getElementById("page-line").textContent = PART_WORDS[description.kind] ?? "";
        try {
            if (!unpacked.has(index))
                unpacked.set(index, unpackPart(description, blocks.get(index) ?? new Map(), LAZY_BLOCKS));
            const part = await unpacked.get(index);
            if (wanted !== index) return;
            const known = roots.get(index);
            const root = known ?? element("article", { class: `part ${description.kind}` });
            content.replaceChildren(root); /* before it is filled: charts measure their space */
            if (!known) fillPart(part, root, page.parts.length > 1);
            roots.set(index, root);
        } catch (error) {
            if (wanted === index) failDamaged(content, error);
        }
    };
}

function showNavigation(page, open) {
    const nav = document.getElementById("parts");
    const links = page.parts.map((part, i) =>
        element("a", { href: `#part-${i + 1}` }, nameElement(part.title || part.kind, 40))
    );
    nav.append(...links);
    nav.hidden = page.parts.length < 2;
    const follow = async () => {
        const asked = Number(/^#part-(\d+)$/.exec(location.hash)?.[1] ?? 1) - 1;
        const index = asked >= 0 && asked < page.parts.length ? asked : 0;
        links.forEach((link, i) => {
            if (i === index) link.setAttribute("aria-current", "page");
            else link.removeAttribute("aria-current");
        });
        await open(index);
    };
    window.addEventListener("hashchange", follow);
    return follow();
}

async function startPage() {
    startTheme();
    const content = document.getElementById("content");
    if (typeof DecompressionStream === "undefined")
        return fail(
            content,
            "This browser cannot unpack the report: it lacks DecompressionStream, which Chrome 80, " +
                "Firefox 113, Safari 16.4 and later have."
        );
    try {
        const blocks = findBlocks();
        const page = (await unpackPart({}, blocks.get(-1))).blocks.get("page");
        document.getElementById("page-title").replaceChildren(nameElement(page.title, 120));
        document.getElementById("page-foot").textContent =
            `Made by Credence ${clip(page.credence, 20)}. This file is complete: it needs no network.`;
        if (page.parts.length === 0) return fail(content, "This report has no parts.");
        await showNavigation(page, partOpener(page, blocks, content));
        document.documentElement.dataset.ready = "true";
    } catch (error) {
        failDamaged(content, error);
    }
}

if (typeof document !== "undefined") startPage();
