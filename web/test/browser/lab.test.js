/* SPDX-License-Identifier: MIT */
/* Reports of a small comparison and a small search, made by the command: the one that CREDENCE_COMMAND names, or the
 * one in build/. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launchBrowser, openReport, SIZES, temporaryFolder } from "../browser.js";

const BUILT = fileURLToPath(new URL("../../../build/credence", import.meta.url));
const COMMAND = process.env.CREDENCE_COMMAND || BUILT;
const EVIL = "</script><img src=x onerror=\"window.__pwned='image'\">" + "W".repeat(10000);
const folder = temporaryFolder();
let browser, file;

function credence(...words) {
    const done = spawnSync(COMMAND, words, { cwd: folder, encoding: "utf8" });
    assert.equal(done.status, 0, `credence ${words.join(" ")}: ${done.stderr}`);
}

function makeRuns() {
    const split = ["--left-out", "1", "--split", "20/20/60", "-q"];
    credence("generate", "-o", "graph.npz", "--nodes", "150", "--classes", "4", "--vocabulary", "40",
        "--lookalikes", "1", "--words", "12");
    credence("compare", "graph.npz", "--models", "lp,gkde,gpn", "--seeds", "3",
        "--set", "max-epochs=8", "--output", "measured", ...split);
    credence("compare", "graph.npz", "--task", "shift", "--models", "lp,gkde", "--seeds", "2",
        "--shifts", "dice:0.1,dice:0.4,rewire:0.1", "--output", "shifted", "--split", "20/20/60", "-q");
    credence("tune", "graph.npz", "-o", "best.json", "--criterion", "left-out-class", "--held-out-classes", "2",
        "--seeds", "2", "--min-epochs", "4", "--finalists", "2", "--eta", "2", "--set", "max-epochs=12",
        "--space", "activation=relu,gelu;hidden=4,8;lr=0.01", "--trials-dir", "tuned", ...split);
    credence("report", "measured", "shifted", "tuned", "-q", "-o", "report.html");
}

/* The same lines with hostile names. */
function makeHostile() {
    const rename = (name, keys) => readFileSync(join(folder, name), "utf8").trim().split("\n").map((text) => {
        const line = JSON.parse(text);
        for (const key of keys) line[key] = EVIL + line[key];
        if (line.seed === 3) line.error = EVIL;
        return JSON.stringify(line);
    }).join("\n") + "\n";
    mkdirSync(join(folder, "evil"));
    writeFileSync(join(folder, "evil/runs.jsonl"), rename("measured/runs.jsonl", ["title", "model", "split", "version"]));
    writeFileSync(join(folder, "evil/trials.jsonl"), rename("tuned/trials.jsonl", ["title", "split", "version"])
        .replaceAll('"activation":"relu"', '"activation":"<b>x</b>"'));
    writeFileSync(join(folder, "evil/command.txt"), `credence ${EVIL}\n`);
    credence("report", "evil", "-q", "-o", "evil.html");
}

async function overflow(page) {
    return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/* The texts of a table's column, from top to bottom. */
function column(table, index) {
    return table.locator(`tbody td:nth-child(${index})`).allInnerTexts();
}

describe("experiments and searches", { skip: existsSync(COMMAND) ? false : `there is no ${COMMAND}` }, () => {
    before(async () => {
        makeRuns();
        makeHostile();
        file = join(folder, "report.html");
        browser = await launchBrowser();
    });
    after(() => browser?.close());

    for (const [name, size] of Object.entries(SIZES)) {
        test(`${name}: an experiment's table, boxes and paired differences`, async () => {
            const { page, complaints } = await openReport(browser, file, size);
            const table = JSON.parse(readFileSync(join(folder, "measured/table.json"), "utf8"));
            const cells = table.blocks[0].rows.flatMap((row) => Object.values(row.cells));
            const shown = (cell) => cell.mean === null ? "n.a." : `${cell.mean.toFixed(2)} ± ${cell.sd.toFixed(2)}`;
            assert.deepEqual(await page.locator(".results td.number").allInnerTexts(), cells.map(shown));
            assert.equal(await page.locator(".results td.best").count(), cells.filter((cell) => cell.best).length);
            const seeds = page.locator(".seeds");
            assert.equal(await seeds.locator("rect.box").count(), 3);
            assert.equal(await seeds.locator("circle.value").count(), 9);
            await seeds.getByRole("combobox", { name: "number", exact: true }).selectOption("auroc_epi_wo");
            assert.equal(await seeds.locator("rect.box").count(), 1, "label propagation sees no features");
            assert.match(await seeds.locator("svg").innerHTML(), /w\/o network/);
            const pairs = page.locator(".pairs");
            assert.equal(await pairs.locator(".interval").count(), 2);
            await pairs.getByRole("combobox", { name: "against", exact: true }).selectOption({ label: "LP" });
            assert.deepEqual((await column(pairs.locator("table"), 2)).sort(), ["GKDE", "GPN"]);
            await pairs.getByRole("combobox", { name: "model", exact: true }).selectOption({ label: "LP" });
            assert.match(await pairs.innerText(), /These are the same model/);
            assert.equal(await overflow(page), 0);
            assert.deepEqual(complaints, []);
            await page.context().close();
        });

        test(`${name}: shifts of several strengths are lines, others bars`, async () => {
            const { page, complaints } = await openReport(browser, file, size);
            await page.locator("#parts a").nth(1).click();
            const shifts = page.locator(".shifts");
            await shifts.waitFor();
            assert.equal(await shifts.locator("svg").count(), 2);
            assert.equal(await shifts.locator("svg").first().locator("path.line").count(), 2);
            assert.equal(await shifts.locator("svg").nth(1).locator("rect.bar").count(), 2);
            assert.equal(await overflow(page), 0);
            assert.deepEqual(complaints, []);
            await page.context().close();
        });

        test(`${name}: a search's settings, the chosen one, and its table sorted`, async () => {
            const { page, complaints } = await openReport(browser, file, size);
            await page.locator("#parts a").nth(2).click();
            const settings = page.locator(".settings .sortable");
            await settings.waitFor();
            const { tried } = JSON.parse(readFileSync(join(folder, "tuned/tried.json"), "utf8"));
            assert.deepEqual(await column(settings, 1), ["1", "2", "3", "4"]);
            assert.deepEqual(await column(settings, 4), tried.map((one) => (100 * one.auroc).toFixed(2)));
            const loss = page.locator(".wide svg").first();
            assert.equal(await loss.locator("circle.value").count(), 4);
            assert.equal(await loss.locator("circle.strong").count(), 1);
            assert.equal(await page.locator(".axes-of-search svg").count(), 2);
            assert.equal(await page.locator(".axes-of-search circle.value").count(), 8);
            const hidden = settings.getByRole("button", { name: "hidden" });
            await hidden.click();
            assert.deepEqual(await column(settings, 2), ["4", "4", "8", "8"]);
            await hidden.click();
            assert.deepEqual(await column(settings, 2), ["8", "8", "4", "4"]);
            assert.equal(await overflow(page), 0);
            assert.deepEqual(complaints, []);
            await page.context().close();
        });

        test(`${name}: names that mean no good are text`, async () => {
            const { page, complaints } = await openReport(browser, join(folder, "evil.html"), size);
            for (const summary of await page.locator("summary").all()) await summary.click();
            assert.equal(await page.locator(".failures tbody tr").count(), 3);
            assert.equal(await overflow(page), 0);
            await page.locator("#parts a").nth(1).click();
            await page.locator(".settings").waitFor();
            assert.match(await page.locator(".tuning").innerText(), /has not come to its end/);
            assert.equal(await overflow(page), 0);
            assert.equal(await page.evaluate(() => window.__pwned), undefined);
            assert.equal(await page.locator("main img, main b, main script").count(), 0);
            assert.deepEqual(complaints, []);
            await page.context().close();
        });
    }
});
