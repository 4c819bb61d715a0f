/* SPDX-License-Identifier: MIT */
/* Draws points into pixels. Every point is a small stamp that is copied into the picture's memory: that is fast with
 * and without a graphics card, looks the same everywhere, and needs only a canvas. */

export const RADIUS_STEPS = 16;

function insideShape(shape, x, y) {
    switch (shape) {
        case "square":
            return Math.max(Math.abs(x), Math.abs(y)) <= 0.89;
        case "diamond":
            return Math.abs(x) + Math.abs(y) <= 1.2;
        case "triangle":
            return y <= 0.72 && y >= 1.85 * Math.abs(x) - 1.18;
        case "cross":
            return Math.min(Math.abs(x), Math.abs(y)) <= 0.38 && Math.max(Math.abs(x), Math.abs(y)) <= 1.1;
        default:
            return x * x + y * y <= 1;
    }
}

/* How much of each pixel a shape with this radius covers, if its middle is (right, down) from the corner of the middle
 * pixel: {half, size, coverage: size x size bytes}. */
export function makeStamp(shape, radius, right, down) {
    const half = Math.ceil(1.25 * radius + 0.5),
        size = 2 * half + 1,
        fine = 6;
    const coverage = new Uint8Array(size * size);
    for (let row = 0; row < size; row++) {
        for (let column = 0; column < size; column++) {
            let inside = 0;
            for (let v = 0; v < fine; v++)
                for (let u = 0; u < fine; u++) {
                    const x = column - half + (u + 0.5) / fine - right,
                        y = row - half + (v + 0.5) / fine - down;
                    if (insideShape(shape, x / radius, y / radius)) inside++;
                }
            coverage[row * size + column] = Math.round((255 * inside) / (fine * fine));
        }
    }
    return { half, size, coverage };
}

/* Used instead of a quarter of a pixel. */
const WHOLE_PIXELS = 4;

const stampCache = new Map();

/* A stamp as lists of the pixels that it covers. `quarter`: the quarter of a pixel in which its middle is. */
function cachedStamp(shape, radius, quarter) {
    const key = `${shape} ${radius.toFixed(2)} ${quarter}`;
    let stamp = stampCache.get(key);
    if (stamp) return stamp;
    if (stampCache.size > 4000) stampCache.clear();
    const whole = quarter === WHOLE_PIXELS;
    const middle = (bit) => (whole ? 0.5 : quarter & bit ? 0.75 : 0.25);
    const { half, size, coverage } = makeStamp(shape, radius, middle(1), middle(2));
    stamp = { half, column: [], row: [], cover: [] };
    coverage.forEach((value, i) => {
        if (value < (whole ? 112 : 8)) return;
        stamp.column.push((i % size) - half);
        stamp.row.push(Math.floor(i / size) - half);
        stamp.cover.push(whole || value > 247 ? 255 : value);
    });
    stampCache.set(key, stamp);
    return stamp;
}

/* The stamps of one picture in one list: stamp (shape * RADIUS_STEPS + step) * quarters + quarter has the pixels from
 * start[stamp] to start[stamp + 1]. */
function stampTable(shapes, radii, width, moving) {
    const stamps = [];
    for (const shape of shapes)
        for (const radius of radii)
            for (const quarter of moving ? [WHOLE_PIXELS] : [0, 1, 2, 3])
                stamps.push(cachedStamp(shape, radius, quarter));
    const start = new Int32Array(stamps.length + 1),
        half = new Int32Array(stamps.length);
    stamps.forEach((stamp, i) => {
        start[i + 1] = start[i] + stamp.cover.length;
        half[i] = stamp.half;
    });
    const count = start[stamps.length];
    const column = new Int32Array(count),
        row = new Int32Array(count),
        cover = new Int32Array(count);
    const offset = new Int32Array(count);
    stamps.forEach((stamp, i) => {
        column.set(stamp.column, start[i]);
        row.set(stamp.row, start[i]);
        cover.set(stamp.cover, start[i]);
    });
    for (let s = 0; s < count; s++) offset[s] = row[s] * width + column[s];
    return { start, half, column, row, cover, offset };
}

function mix(below, above, cover) {
    const share = cover + (cover >> 7),
        rest = 256 - share;
    const even = (below & 0xff00ff) * rest + (above & 0xff00ff) * share;
    const odd = ((below >>> 8) & 0xff) * rest + ((above >>> 8) & 0xff) * share;
    return (0xff000000 | (((even + 0x800080) >>> 8) & 0xff00ff) | ((odd + 0x80) & 0xff00)) >>> 0;
}

/* A colour as a pixel of a little-endian picture. */
export function pixelOf([red, green, blue]) {
    return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
}

function putStamp(picture, column, row, table, stamp, colour, strength) {
    const { pixels, width, height } = picture;
    const { start, half, offset, cover } = table;
    const reach = half[stamp],
        end = start[stamp + 1],
        at = row * width + column;
    const inside = column >= reach && row >= reach && column < width - reach && row < height - reach;
    for (let s = start[stamp]; s < end; s++) {
        if (!inside) {
            const x = column + table.column[s],
                y = row + table.row[s];
            if (x < 0 || y < 0 || x >= width || y >= height) continue;
        }
        const place = at + offset[s],
            share = (cover[s] * strength + 127) >> 8;
        pixels[place] = share >= 254 ? colour : mix(pixels[place], colour, share);
    }
}

/* Whole pixels only, for a picture that is replaced in a moment. */
function drawQuickly(picture, view, points, table, rings, ink) {
    const { pixels, width, height } = picture;
    const { x, y, pixel, stamp, ringed } = points;
    const { start, half, offset } = table;
    const scale = view.scale,
        left = width / 2 - view.x * scale,
        top = height / 2 + view.y * scale;
    for (let i = 0; i < x.length; i++) {
        const column = Math.floor(x[i] * scale + left),
            row = Math.floor(top - y[i] * scale);
        const kind = stamp[i],
            reach = half[kind];
        if (column < reach || row < reach || column >= width - reach || row >= height - reach) {
            if (column < -32 || row < -32 || column > width + 32 || row > height + 32) continue;
            putStamp(picture, column, row, table, kind, pixel[i], 256);
            continue;
        }
        if (ringed !== null && ringed[i]) putStamp(picture, column, row, rings, kind, ink, 256);
        const at = row * width + column,
            end = start[kind + 1],
            colour = pixel[i];
        for (let s = start[kind]; s < end; s++) pixels[at + offset[s]] = colour;
    }
}

function drawFinely(picture, view, points, tables, look) {
    const { width, height } = picture;
    const { x, y, pixel, stamp, ringed } = points;
    const scale = view.scale,
        left = width / 2 - view.x * scale,
        top = height / 2 + view.y * scale;
    for (let i = 0; i < x.length; i++) {
        const across = x[i] * scale + left,
            down = top - y[i] * scale;
        if (across < -32 || down < -32 || across > width + 32 || down > height + 32) continue;
        const column = Math.floor(across),
            row = Math.floor(down);
        const kind = 4 * stamp[i] + (across - column >= 0.5 ? 1 : 0) + (down - row >= 0.5 ? 2 : 0);
        if (ringed !== null && ringed[i]) putStamp(picture, column, row, tables.rings, kind, look.ink, 256);
        else if (look.halo > 0) putStamp(picture, column, row, tables.rims, kind, look.background, look.halo);
        putStamp(picture, column, row, tables.points, kind, pixel[i], 256);
    }
}

/* picture: {pixels, width, height}
 * points:  in the order of drawing {x, y (on the map), pixel (colour), stamp (shape * RADIUS_STEPS + step of
 *          size), ringed (null, or 1 for a ring in the ink's colour)}
 * look:    {shapes, radii (of the steps, in pixels), background, ink (pixels), halo (strength 0 to 256 of a
 *          rim in the background's colour, which keeps neighbours apart), moving (true: quickly, more
 *          pictures follow)} */
export function drawPoints(picture, view, points, look) {
    const larger = (by) =>
        stampTable(
            look.shapes,
            look.radii.map((radius) => radius + by(radius)),
            picture.width,
            look.moving
        );
    const table = larger(() => 0),
        rings = points.ringed ? larger((radius) => Math.min(1.4, Math.max(0.6, 0.55 * radius))) : null;
    picture.pixels.fill(look.background);
    if (look.moving) drawQuickly(picture, view, points, table, rings, look.ink);
    else
        drawFinely(
            picture,
            view,
            points,
            { points: table, rings, rims: look.halo > 0 ? larger(() => 0.9) : null },
            look
        );
}
