/* SPDX-License-Identifier: MIT */
/* Finds the point under the pointer: points are in the cells of a grid over the map. */
import { MAP_SIZE } from "./view.js";

export function makeGrid(x, y) {
    const nodes = x.length,
        side = Math.min(1024, Math.max(1, Math.ceil(Math.sqrt(nodes / 2))));
    const cellOf = (value) => Math.min(side - 1, Math.floor((value / (MAP_SIZE + 1)) * side));
    const start = new Uint32Array(side * side + 1),
        member = new Uint32Array(nodes);
    for (let i = 0; i < nodes; i++) start[cellOf(y[i]) * side + cellOf(x[i]) + 1]++;
    for (let c = 0; c < side * side; c++) start[c + 1] += start[c];
    const end = start.slice(0, side * side);
    for (let i = 0; i < nodes; i++) member[end[cellOf(y[i]) * side + cellOf(x[i])]++] = i;
    return { x, y, side, cellOf, start, member };
}

/* The nearest point within `radius` (all in the map's units) for which `isShown` is true; -1 if there is none. */
export function nearestPoint(grid, x, y, radius, isShown) {
    const { side, cellOf, start, member } = grid;
    const within = (value) => Math.min(Math.max(value, 0), MAP_SIZE);
    let best = -1,
        bestSquare = radius * radius;
    for (let row = cellOf(within(y - radius)); row <= cellOf(within(y + radius)); row++) {
        for (let column = cellOf(within(x - radius)); column <= cellOf(within(x + radius)); column++) {
            const cell = row * side + column;
            for (let m = start[cell]; m < start[cell + 1]; m++) {
                const i = member[m],
                    square = (grid.x[i] - x) ** 2 + (grid.y[i] - y) ** 2;
                if (square <= bestSquare && isShown(i)) {
                    best = i;
                    bestSquare = square;
                }
            }
        }
    }
    return best;
}
