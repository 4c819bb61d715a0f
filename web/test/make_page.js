/* SPDX-License-Identifier: MIT */
/* Report pages as crd_report_save writes them, made without it: of any size, and with names that try to break out.
 *     node test/make_page.js OUT.html [NODES]
 */
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { modelPart } from "./make_model.js";

const SOURCES = new URL("../src/", import.meta.url);
const read = (name) => readFileSync(new URL(name, SOURCES), "utf8");

/* As in the build: joins the files of order.txt, without their imports and exports. */
export function joinSources() {
    return read("order.txt")
        .split("\n")
        .filter(Boolean)
        .map((name) =>
            read(name)
                .replace(/^import .*;\n/gm, "")
                .replace(/^export /gm, "")
        )
        .join("\n");
}

function escapeHtml(text) {
    return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function blockElement(part, { name, type, value }) {
    const bytes =
        type === "json"
            ? Buffer.from(JSON.stringify(value))
            : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return (
        `<script type="text/plain" class="block" data-part="${part}" data-name="${name}" ` +
        `data-type="${type}">` +
        gzipSync(bytes).toString("base64") +
        "</script>\n"
    );
}

/* parts: [{kind, title, blocks: [{name, type, value}]}] */
export function makePage({ title, parts }) {
    const page = {
        title,
        credence: "0.0.0-test",
        parts: parts.map(({ kind, title: name }) => ({ kind, title: name }))
    };
    const nonce = "dGVzdA";
    return (
        `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
        `<meta name="viewport" content="width=device-width, initial-scale=1">` +
        `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; ` +
        `script-src 'nonce-${nonce}'; ` +
        `style-src 'nonce-${nonce}'">` +
        `<title>${escapeHtml(title)}</title>` +
        `<style nonce="${nonce}">${read("style.css")}</style></head>\n<body>` +
        read("body.html") +
        blockElement(-1, { name: "page", type: "json", value: page }) +
        parts.map((part, i) => part.blocks.map((block) => blockElement(i, block)).join("")).join("") +
        `<script nonce="${nonce}">${joinSources()}</script></body></html>\n`
    );
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
    const [out, nodes = "3000"] = process.argv.slice(2);
    writeFileSync(out, makePage({ title: "A made report", parts: [modelPart({ nodes: Number(nodes) })] }));
}
