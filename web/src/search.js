/* SPDX-License-Identifier: MIT */
/* Finding nodes by number or name. */

const EXACT = 0,
    BEGINS = 1,
    WORD_BEGINS = 2,
    INSIDE = 3;

function matchName(name, wanted) {
    const at = name.indexOf(wanted);
    if (at < 0) return null;
    if (at === 0) return name.length === wanted.length ? EXACT : BEGINS;
    /* after a letter or digit: inside a word */
    return /[\p{L}\p{N}]/u.test(name[at - 1]) ? INSIDE : WORD_BEGINS;
}

/* Names in the form in which they are compared. */
export function foldNames(names) {
    return names.map((name) => String(name).toLowerCase());
}

/* Up to `most` nodes, best first: the number itself; names that equal the text, begin with it, have a word that begins
 * with it, or contain it; then numbers that begin with it. `folded` may be null. */
export function searchNodes(query, nodes, folded, most = 12) {
    const wanted = query.trim().toLowerCase();
    if (wanted === "") return [];
    const isNumber = /^\d{1,15}$/.test(wanted),
        found = [];
    if (isNumber && Number(wanted) < nodes) found.push(Number(wanted));
    if (folded) {
        const ranks = [[], [], [], []];
        for (let i = 0; i < folded.length && ranks[EXACT].length < most; i++) {
            const rank = matchName(folded[i], wanted);
            if (rank !== null && ranks[rank].length < most) ranks[rank].push(i);
        }
        found.push(...ranks.flat());
    }
    if (isNumber && wanted !== "0") {
        for (let factor = 10; factor * Number(wanted) < nodes && found.length < 3 * most; factor *= 10) {
            const first = factor * Number(wanted);
            for (let i = first; i < Math.min(first + factor, nodes) && i < first + most; i++) found.push(i);
        }
    }
    return [...new Set(found)].slice(0, most);
}
