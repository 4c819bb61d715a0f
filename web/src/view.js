/* SPDX-License-Identifier: MIT */
/* The visible part of the map: screen x = (map x - x) * scale + width / 2; the same for y, which grows upwards on the
 * map. */

export const MAP_SIZE = 65535;

/* Shows everything, with a margin. */
export function fitView({ low, high }, width, height, margin = 24) {
    const wide = Math.max(high[0] - low[0], 1),
        tall = Math.max(high[1] - low[1], 1);
    const scale = Math.min(Math.max(width - 2 * margin, 10) / wide, Math.max(height - 2 * margin, 10) / tall);
    return { x: (low[0] + high[0]) / 2, y: (low[1] + high[1]) / 2, scale };
}

export function toScreen(view, width, height, x, y) {
    return [(x - view.x) * view.scale + width / 2, (view.y - y) * view.scale + height / 2];
}

export function toMap(view, width, height, left, top) {
    return [(left - width / 2) / view.scale + view.x, view.y - (top - height / 2) / view.scale];
}

export function panView(view, right, down) {
    return { ...view, x: view.x - right / view.scale, y: view.y + down / view.scale };
}

/* The point under (left, top) stays where it is. */
export function zoomView(view, width, height, left, top, factor, smallest, largest) {
    const scale = Math.min(Math.max(view.scale * factor, smallest), largest);
    const [x, y] = toMap(view, width, height, left, top);
    return { scale, x: x - (left - width / 2) / scale, y: y + (top - height / 2) / scale };
}

/* Keeps the middle of the screen over the map. */
export function keepView(view) {
    const within = (value) => Math.min(Math.max(value, 0), MAP_SIZE);
    return { ...view, x: within(view.x), y: within(view.y) };
}

/* The way from one view to another, for shares from 0 to 1: out until both ends are visible, then in again. */
export function flight(from, to, width) {
    const distance = Math.hypot(to.x - from.x, to.y - from.y);
    const between = Math.min(from.scale, to.scale, (0.8 * width) / Math.max(distance, 1));
    return (share) => {
        const eased = share < 0.5 ? 2 * share * share : 1 - 2 * (1 - share) * (1 - share);
        const bend = Math.log(between / Math.sqrt(from.scale * to.scale));
        const arch = Math.min(0, bend) * 4 * eased * (1 - eased);
        return {
            x: from.x + eased * (to.x - from.x),
            y: from.y + eased * (to.y - from.y),
            scale: Math.exp(Math.log(from.scale) + eased * Math.log(to.scale / from.scale) + arch)
        };
    };
}
