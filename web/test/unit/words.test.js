/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { boxNumbers } from "../../src/charts.js";
import { riskAt } from "../../src/detection_charts.js";
import { clip, shortNames } from "../../src/dom.js";
import { formatSigned, spokenFor } from "../../src/committee.js";
import { headlineOf } from "../../src/facts.js";
import { foldNames, searchNodes } from "../../src/search.js";
import { networkStarts } from "../../src/training_charts.js";
import { modelPart } from "../make_model.js";
import { joinSources } from "../make_page.js";

test("the best results of a search come first", () => {
    const names = [
        "graph neural network",
        "12",
        "A graph",
        "paragraph",
        "Graph",
        "deep learning",
        "network of graphs"
    ];
    const search = (query, most) => searchNodes(query, names.length, foldNames(names), most);
    assert.deepEqual(search("graph"), [4, 0, 2, 6, 3]);
    assert.deepEqual(search("GRAPH "), [4, 0, 2, 6, 3]);
    assert.deepEqual(search("graph", 2), [4, 0]);
    assert.deepEqual(search("1"), [1]);
    assert.deepEqual(search("12"), [1]);
    assert.deepEqual(search("2"), [2, 1]);
    assert.deepEqual(search("nothing"), []);
    assert.deepEqual(search("  "), []);
});

test("numbers are found without names, the exact one first", () => {
    assert.deepEqual(searchNodes("17", 2000, null, 4), [17, 170, 171, 172]);
    assert.deepEqual(searchNodes("1999", 2000, null), [1999]);
    assert.deepEqual(searchNodes("2000", 2000, null), []);
    assert.deepEqual(searchNodes("0", 2000, null), [0]);
    assert.deepEqual(searchNodes("word", 2000, null), []);
    assert.deepEqual(searchNodes("9".repeat(40), 2000, null), []);
});

test("texts are cut between characters, and cannot turn what is around them", () => {
    assert.equal(clip("short", 10), "short");
    assert.equal(clip("a".repeat(10000), 5), "aaaa…");
    assert.equal(clip("😀😀😀😀", 3), "😀😀…");
    assert.equal(clip("line\nbreak\u202ereversed", 40), "line break reversed");
    assert.equal(clip(null, 10), "null");
});

test("what all names begin with is left out, up to a separator", () => {
    const long = [
        "Artificial_Intelligence/Theory",
        "Artificial_Intelligence/Tests",
        "Artificial_Intelligence/"
    ];
    assert.deepEqual(shortNames(long.slice(0, 2)), {
        names: ["Theory", "Tests"],
        shared: "Artificial_Intelligence/"
    });
    assert.deepEqual(shortNames(long).shared, "", "no name may be left empty");
    assert.deepEqual(shortNames(["class A", "class B"]).names, ["class A", "class B"]);
    assert.deepEqual(shortNames(["only/one/name"]).names, ["only/one/name"]);
    assert.deepEqual(shortNames([]).names, []);
});

test("the headline says what was measured, and nothing else", () => {
    const curves = modelPart({ nodes: 500 }).blocks.find((block) => block.name === "curves").value;
    const text = headlineOf(curves, [{ out: false }, { out: true }])
        .map((pieces) => pieces.join(""))
        .join(" ");
    assert.match(text, /Answers 9\d\.\d\u202f% of \d+ test nodes of the classes it knows right\./);
    assert.match(text, /never saw from those it knows \d\d times out of 100 by the evidence/);
    assert.match(text, /expected calibration error/);
    assert.deepEqual(headlineOf(null, []), []);
    assert.deepEqual(headlineOf({ ood: null, errors: null, confusion: null }, []), []);
});

test("the headline tells what was promised and what came of it", () => {
    const part = modelPart({ nodes: 500, committee: true });
    const curves = part.blocks.find((block) => block.name === "curves").value;
    const text = headlineOf(curves, [{ out: true }])
        .map((pieces) => pieces.join(""))
        .join(" ");
    assert.match(text, /right \(91\.3\u202f% in the mean over classes\)\./);
    assert.match(text, /at most 1\u202f% false alarms promised, it flags 43\.0\u202f% .* and 1\.2\u202f% of the others/);
});

test("a contribution speaks for its best class, or for doubt", () => {
    assert.equal(spokenFor({ logits: [0.1, 0.4, -0.5], doubt: 0.3 }), 1);
    assert.equal(spokenFor({ logits: [0.1, 0.4, -0.5], doubt: 0.5 }), -1);
    assert.equal(formatSigned(0.12345), "+0.123");
    assert.equal(formatSigned(-2), "−2.000");
});

test("networks begin where epochs are counted from the start again", () => {
    assert.deepEqual(networkStarts({ epoch: [1, 2, 3, 1, 2, 1, 3] }), [0, 3, 5]);
    assert.deepEqual(networkStarts({ epoch: [1] }), [0]);
});

test("the risk at a coverage lies on the curve", () => {
    const points = [
        [0.1, 0],
        [0.5, 0.02],
        [1, 0.1]
    ];
    assert.equal(riskAt(points, 0.05), 0);
    assert.ok(Math.abs(riskAt(points, 0.75) - 0.06) < 1e-12);
    assert.equal(riskAt(points, 1), 0.1);
});

test("the numbers of a box", () => {
    const box = boxNumbers([1, 2, 3, 4, 100, null, NaN]);
    assert.deepEqual(box, { count: 5, low: 2, middle: 3, high: 4, first: 1, last: 4 });
});

/* The build relies on this when it joins the files; see web/README.md. */
test("the sources can be joined into one script", () => {
    const folder = new URL("../../src/", import.meta.url);
    const order = readFileSync(new URL("order.txt", folder), "utf8").trim().split("\n");
    assert.deepEqual(
        [...order].sort(),
        readdirSync(folder)
            .filter((name) => name.endsWith(".js"))
            .sort()
    );
    const owner = new Map(),
        before = new Set();
    for (const name of order) {
        const text = readFileSync(new URL(name, folder), "utf8");
        const imports = [...text.matchAll(/^import\b.*$/gm)].map(([line]) => line);
        for (const line of imports) {
            const [, from] = /^import \{[^}]+\} from "\.\/([a-z_]+\.js)";$/.exec(line) ?? [];
            assert.ok(from, `${name}: an import that is not one line of the plain form: ${line}`);
            assert.ok(before.has(from), `${name} uses ${from}, which order.txt has later`);
        }
        assert.ok(
            !/^export (?!(?:async )?function |const |class )/m.test(text),
            `${name}: another kind of export`
        );
        assert.ok(!/<\/script|<!--/i.test(text), `${name}: text that ends a script`);
        for (const [, declared] of text.matchAll(
            /^(?:export )?(?:async )?(?:function|const|let|class) (\w+)/gm
        )) {
            assert.ok(!owner.has(declared), `${declared} is in ${owner.get(declared)} and in ${name}`);
            owner.set(declared, name);
        }
        before.add(name);
    }
    /* Joined, a file finds what it forgot to import; alone, as in these tests, it would not. */
    for (const name of order) {
        const text = readFileSync(new URL(name, folder), "utf8").replace(/\/\*[^]*?\*\//g, "");
        const imported = [...text.matchAll(/^import \{ (.*) \} from/gm)].flatMap(([, names]) =>
            names.split(", ")
        );
        for (const [, called] of text.matchAll(/(?<![.\w-])(\w+)\(/g)) {
            const foreign =
                owner.has(called) &&
                owner.get(called) !== name &&
                !new RegExp(`(const|function) ${called}\\b`).test(text);
            assert.ok(!foreign || imported.includes(called), `${name} uses ${called} without importing it`);
        }
        for (const one of imported)
            assert.ok(
                text.split(new RegExp(`\\b${one}\\b`)).length > 2,
                `${name} imports ${one} and does not use it`
            );
    }
    const joined = joinSources();
    assert.ok(!/^(import|export)\b/m.test(joined));
    new Function(joined);
    assert.ok(!/\binnerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b/.test(joined));
});
