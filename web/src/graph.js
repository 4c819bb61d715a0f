/* The graph, and where a node's evidence comes from: as crd_explain computes it. */

/* From the packed form (for each node, how many neighbours with a larger number, then their distances; all as
 * LEB128) to {start, neighbour}: the neighbours of i, in order, are neighbour[start[i]] to neighbour[start[i
 * + 1] - 1]. */
export function unpackGraph(bytes, nodes) {
    let at = 0;
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
    const eachEdge = (visit) => {
        at = 0;
        for (let i = 0; i < nodes; i++) {
            let other = i;
            for (let left = next(); left > 0; left--) {
                other += next();
                if (other >= nodes) throw new Error("the graph has an edge to a node that does not exist");
                visit(i, other);
            }
        }
    };
    const start = new Uint32Array(nodes + 1);
    eachEdge((i, j) => {
        start[i + 1]++;
        start[j + 1]++;
    });
    for (let i = 0; i < nodes; i++) start[i + 1] += start[i];
    const neighbour = new Uint32Array(start[nodes]),
        end = start.slice(0, nodes);
    eachEdge((i, j) => {
        neighbour[end[i]++] = j;
        neighbour[end[j]++] = i;
    });
    return { nodes, start, neighbour };
}

/* Nodes within `most` steps, nearest first, and where each distance begins among them. */
export function reach(graph, node, most) {
    const hops = new Int32Array(graph.nodes).fill(-1);
    const queue = [node],
        level = [0, 1];
    hops[node] = 0;
    for (let distance = 1; distance <= most; distance++) {
        for (let q = level[distance - 1]; q < level[distance]; q++) {
            for (let e = graph.start[queue[q]]; e < graph.start[queue[q] + 1]; e++) {
                const other = graph.neighbour[e];
                if (hops[other] >= 0) continue;
                hops[other] = distance;
                queue.push(other);
            }
        }
        level.push(queue.length);
    }
    return { hops, queue, level };
}

/* Row `node` of personalised PageRank's matrix. It is symmetric: the row is what diffusion makes of the
 * node's indicator; after t steps nothing has gone further than t hops. */
export function diffusionRow(graph, node, { teleport, steps }) {
    const { hops, queue, level } = reach(graph, node, steps);
    const scale = (i) => 1 / Math.sqrt(graph.start[i + 1] - graph.start[i] + 1);
    const scales = new Float64Array(graph.nodes);
    for (const i of queue) scales[i] = scale(i);
    let weight = new Float64Array(graph.nodes),
        spare = new Float64Array(graph.nodes);
    weight[node] = 1;
    for (let step = 1; step <= steps; step++) {
        for (let q = 0; q < level[step + 1]; q++) {
            const i = queue[q];
            let sum = scales[i] * weight[i];
            for (let e = graph.start[i]; e < graph.start[i + 1]; e++) {
                const other = graph.neighbour[e];
                sum += weight[other] * scales[other];
            }
            spare[i] = (1 - teleport) * scales[i] * sum + (i === node ? teleport : 0);
        }
        [weight, spare] = [spare, weight];
    }
    return { weight, hops, reached: queue };
}

/* The `most` nodes that give a node most of its evidence: {total, given: [{node, hops, share}], rest: {count,
 * share}}. `own` is the logarithm (base 10) of every node's evidence before the graph. */
export function contributions(graph, own, node, diffusion, most) {
    const { weight, hops, reached } = diffusionRow(graph, node, diffusion);
    const giving = [];
    let total = 0;
    for (const i of reached) {
        const evidence = weight[i] * 10 ** own[i];
        if (!(evidence > 0)) continue;
        total += evidence;
        giving.push([evidence, i]);
    }
    giving.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
    const given = giving
        .slice(0, most)
        .map(([evidence, i]) => ({ node: i, hops: hops[i], share: evidence / total }));
    const shown = given.reduce((sum, one) => sum + one.share, 0);
    return {
        total,
        given,
        rest: { count: Math.max(giving.length - most, 0), share: giving.length > most ? 1 - shown : 0 }
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
