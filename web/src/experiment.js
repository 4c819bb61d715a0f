/* A part of the kind "experiment". */
import { element } from "./dom.js";

export function showExperiment(part, root) {
    root.append(element("pre", { class: "scroll" }, JSON.stringify(part.blocks.get("experiment"), null, 2)));
}
