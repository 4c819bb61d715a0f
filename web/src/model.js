/* A part of the kind "model". */
import { element } from "./dom.js";

/* Large, and needed only once somebody asks where evidence comes from, or searches. */
export const LAZY_BLOCKS = new Set(["graph", "own", "own_class", "names"]);

export function showModel(part, root) {
    root.append(element("pre", { class: "scroll" }, JSON.stringify(part.blocks.get("facts"), null, 2)));
}
