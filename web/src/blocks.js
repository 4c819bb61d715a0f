/* SPDX-License-Identifier: MIT */
/* The data of the page: blocks of gzip in base64, each in its own <script type="text/plain">. */

const ARRAY_TYPES = {
    uint8: Uint8Array,
    uint16: Uint16Array,
    int16: Int16Array,
    int32: Int32Array,
    float32: Float32Array
};

export function decodeBase64(text) {
    const characters = atob(text);
    const bytes = new Uint8Array(characters.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
    return bytes;
}

export async function gunzip(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
}

/* Values are little-endian, like every machine that runs a browser with DecompressionStream. */
export function valueOfBytes(buffer, type) {
    if (type === "json") return JSON.parse(new TextDecoder().decode(buffer));
    const Type = ARRAY_TYPES[type];
    if (!Type) throw new Error(`a block of the unknown type ${type}`);
    return new Type(buffer, 0, Math.floor(buffer.byteLength / Type.BYTES_PER_ELEMENT));
}

async function unpackBlock(script) {
    return valueOfBytes(await gunzip(decodeBase64(script.textContent)), script.dataset.type);
}

/* The packed blocks of each part: Map of part number -> Map of name -> element. Part -1 is the page itself. */
export function findBlocks() {
    const parts = new Map();
    for (const script of document.querySelectorAll("script.block")) {
        const part = Number(script.dataset.part);
        if (!parts.has(part)) parts.set(part, new Map());
        parts.get(part).set(script.dataset.name, script);
    }
    return parts;
}

/* A part: {kind, title, blocks: Map of name -> value, later: (name) => Promise of the value}. Blocks named in `lazy`
 * are unpacked only when they are requested through `later`, which stores them in `blocks`. */
export async function unpackPart(description, packed, lazy = new Set()) {
    const part = { ...description, blocks: new Map(), has: (name) => packed.has(name) };
    part.later = async (name) => {
        if (!part.blocks.has(name)) part.blocks.set(name, await unpackBlock(packed.get(name)));
        return part.blocks.get(name);
    };
    await Promise.all([...packed.keys()].filter((name) => !lazy.has(name)).map(part.later));
    return part;
}
