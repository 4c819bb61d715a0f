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
