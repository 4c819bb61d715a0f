/* A part of the kind "tuning". */
import { element } from "./dom.js";

export function showTuning(part, root) {
    root.append(element("pre", { class: "scroll" }, JSON.stringify(part.blocks.get("tuning"), null, 2)));
}
