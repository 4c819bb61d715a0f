/* SPDX-License-Identifier: MIT */
/* The graph, and where a node's evidence comes from, as crd_explain computes it. */

/* Unpacks the graph (for each node the number of neighbours with a larger number, then their distances; all as LEB128)
 * into {start, neighbour}: the neighbours of i, in order, are neighbour[start[i]] to neighbour[start[i + 1] - 1]. */
export function unpackGraph(bytes, nodes) {
    /* Every edge and every node's count ends one number. */
    let numbers = 0;
    for (const byte of bytes) if (byte < 128) numbers++;
    const most = Math.max(numbers - nodes, 0);
    const from = new Uint32Array(most),
        to = new Uint32Array(most),
        start = new Uint32Array(nodes + 1);
    let at = 0,
        edges = 0;
    const next = () => {
        let value = 0,
            factor = 1,
            byte;
        do {
            if (at >= bytes.length) throw new Error("the graph ends too early");
            byte = bytes[at++];
            value += (byte & 127) * factor;
            factor *= 128;
        } while (byte >= 128);
        return value;
    };
    for (let i = 0; i < nodes; i++) {
        let other = i;
        for (let left = next(); left > 0; left--) {
            other += next();
            if (other >= nodes) throw new Error("the graph has an edge to a node that does not exist");
            from[edges] = i;
            to[edges++] = other;
            start[i + 1]++;
            start[other + 1]++;
        }
    }
    for (let i = 0; i < nodes; i++) start[i + 1] += start[i];
    const neighbour = new Uint32Array(start[nodes]),
        end = start.slice(0, nodes);
    for (let e = 0; e < edges; e++) {
        neighbour[end[from[e]]++] = to[e];
        neighbour[end[to[e]]++] = from[e];
    }
    return { nodes, start, neighbour };
}

/* Nodes within `most` steps, nearest first (`queue`); the first level[d + 1] of them are within d steps. */
export function reach(graph, node, most) {
    const { nodes, start, neighbour } = graph;
    const hops = new Int32Array(nodes).fill(-1),
        queue = new Uint32Array(nodes),
        level = [0, 1];
    let count = 1;
    queue[0] = node;
    hops[node] = 0;
    for (let distance = 1; distance <= most; distance++) {
        for (let q = level[distance - 1]; q < level[distance]; q++) {
            for (let e = start[queue[q]]; e < start[queue[q] + 1]; e++) {
                const other = neighbour[e];
                if (hops[other] >= 0) continue;
                hops[other] = distance;
                queue[count++] = other;
            }
        }
        level.push(count);
    }
    return { hops, level, queue: queue.subarray(0, count) };
}

/* Row `node` of the matrix of personalised PageRank. The matrix is symmetric, so the row is the diffusion of the
 * node's indicator; after t steps it reaches at most t hops. */
export function diffusionRow(graph, node, { teleport, steps }) {
    const { start, neighbour } = graph,
        { hops, queue, level } = reach(graph, node, steps);
    const scale = new Float64Array(graph.nodes);
    for (const i of queue) scale[i] = 1 / Math.sqrt(start[i + 1] - start[i] + 1);
    let weight = new Float64Array(graph.nodes),
        spare = new Float64Array(graph.nodes);
    weight[node] = 1;
    for (let step = 1; step <= steps; step++) {
        for (let q = 0; q < level[step + 1]; q++) {
            const i = queue[q];
            let sum = scale[i] * weight[i];
            for (let e = start[i]; e < start[i + 1]; e++) sum += weight[neighbour[e]] * scale[neighbour[e]];
            spare[i] = (1 - teleport) * scale[i] * sum + (i === node ? teleport : 0);
        }
        [weight, spare] = [spare, weight];
    }
    return { weight, hops, reached: queue };
}

/* The `most` nodes that give a node most of its evidence, largest first: {total, given: [{node, hops, share}], rest:
 * {count, share}}. `own` is the logarithm (base 10) of every node's evidence before the graph. */
export function contributions(graph, own, node, diffusion, most) {
    const { weight, hops, reached } = diffusionRow(graph, node, diffusion);
    const best = [];
    const isBefore = (one, other) =>
        one.evidence > other.evidence || (one.evidence === other.evidence && one.node < other.node);
    let total = 0,
        giving = 0;
    for (const i of reached) {
        const evidence = weight[i] * 10 ** own[i];
        if (!(evidence > 0)) continue;
        total += evidence;
        giving++;
        if (best.length === most && evidence < best[most - 1].evidence) continue;
        const one = { node: i, evidence };
        let place = best.length;
        while (place > 0 && isBefore(one, best[place - 1])) place--;
        best.splice(place, 0, one);
        if (best.length > most) best.pop();
    }
    const given = best.map((one) => ({ node: one.node, hops: hops[one.node], share: one.evidence / total }));
    const shown = given.reduce((sum, one) => sum + one.share, 0);
    const others = giving - given.length;
    return { total, given, rest: { count: others, share: others > 0 ? 1 - shown : 0 } };
}

/* What one view's signals add to doubt, as a sum over its logits: {fixed, slope}; see crd_pool_slope. */
export function doubtSlope({ unlike, unsure }, logits) {
    const classes = logits.length - 1,
        known = logits.slice(0, classes),
        most = known.indexOf(Math.max(...known));
    const total = known.reduce((sum, z) => sum + Math.exp(z - known[most]), 0);
    const p = known.map((z) => Math.exp(z - known[most]) / total);
    const entropy = Math.log(total) + known[most] - known.reduce((sum, z, k) => sum + p[k] * z, 0);
    const slope = [...p.map((share, k) => (unsure - unlike) * share - (k === most ? unsure : 0)), unlike];
    return { fixed: (unsure - unlike) * entropy, slope };
}

/* What each node gives to a node's logits and doubt: {given (by node: logits, then doubt), fixed, hops}. `own` are the
 * logits before the graph, networks x nodes x views x (classes and "unlabelled"), in steps of committee.step. A node
 * whose features are beyond all that training saw adds committee.beyond to its own doubt. */
function committeeGifts(graph, own, node, committee, classes) {
    const { networks, step, views } = committee;
    const columns = classes + 1,
        given = new Float64Array(graph.nodes * columns);
    let fixed = committee.bias,
        hops = null;
    views.forEach((view, v) => {
        const row = diffusionRow(graph, node, view);
        if (!hops || row.reached.length > hops.reached.length) hops = row;
        for (let m = 0; m < networks; m++) {
            const place = (i) => ((m * graph.nodes + i) * views.length + v) * columns;
            const seen = Array(columns).fill(0);
            for (const i of row.reached)
                for (let k = 0; k < columns; k++) seen[k] += row.weight[i] * step * own[place(i) + k];
            const doubt = doubtSlope(view, seen);
            fixed += doubt.fixed / networks;
            for (const i of row.reached) {
                const from = place(i),
                    to = i * columns;
                for (let k = 0; k < columns; k++) {
                    const logit = (row.weight[i] * step * own[from + k]) / networks;
                    if (k < classes) given[to + k] += view.weight * logit;
                    given[to + classes] += doubt.slope[k] * logit;
                }
            }
        }
    });
    given[node * columns + classes] += committee.beyond?.[node] ?? 0;
    return { given, fixed, hops: hops.hops, reached: hops.reached };
}

/* The nodes that matter most for the answer of a committee, as crd_explain lists them: {logits (minus their mean), doubt,
 * fixed (the part of doubt that no node gives), given: [{node, hops, logits, doubt, size}], rest: {count, logits,
 * doubt}, forClass: a pair of sides for each class, forDoubt}. Sides are {nodes, sum}, each for positive and
 * negative numbers. */
export function committeeContributions(graph, own, node, committee, classes, most) {
    const { given, fixed, hops, reached } = committeeGifts(graph, own, node, committee, classes);
    const columns = classes + 1,
        makeSides = () => ({ nodes: [0, 0], sum: [0, 0] });
    const forClass = Array.from({ length: classes }, makeSides),
        forDoubt = makeSides();
    const count = (sides, value) => {
        const side = value < 0 ? 1 : 0;
        sides.sum[side] += value;
        if (value !== 0) sides.nodes[side]++;
    };
    const all = [];
    for (const i of reached) {
        const logits = Array.from(given.subarray(i * columns, i * columns + classes)),
            mean = logits.reduce((sum, value) => sum + value, 0) / classes,
            doubt = given[i * columns + classes];
        for (let k = 0; k < classes; k++) {
            logits[k] -= mean;
            count(forClass[k], logits[k]);
        }
        count(forDoubt, doubt);
        const size = Math.max(Math.abs(doubt), ...logits.map(Math.abs));
        if (size > 0) all.push({ node: i, hops: hops[i], logits, doubt, size });
    }
    all.sort((one, other) => other.size - one.size || one.node - other.node);
    const add = (list) => ({
        count: list.length,
        logits: forClass.map((_, k) => list.reduce((sum, one) => sum + one.logits[k], 0)),
        doubt: list.reduce((sum, one) => sum + one.doubt, 0)
    });
    const sum = add(all);
    return {
        logits: sum.logits,
        doubt: sum.doubt + fixed,
        fixed,
        given: all.slice(0, most),
        rest: add(all.slice(most)),
        forClass,
        forDoubt
    };
}

/* Edges between the nodes of a list: [[place in the list, place in the list], ...] */
export function edgesAmong(graph, list) {
    const place = new Map(list.map((node, i) => [node, i]));
    const edges = [];
    list.forEach((node, i) => {
        for (let e = graph.start[node]; e < graph.start[node + 1]; e++) {
            const j = place.get(graph.neighbour[e]);
            if (j !== undefined && j > i) edges.push([i, j]);
        }
    });
    return edges;
}
