/* SPDX-License-Identifier: MIT */
/* The report that `credence demo` writes: the page as the library makes it. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launchBrowser, openPart, openReport, settle, SIZES, temporaryFolder } from "../browser.js";

const command = process.env.CREDENCE_COMMAND;
const skip = command ? false : "no command was named (CREDENCE_COMMAND)";
let browser, folder;

before(async () => {
    if (skip) return;
    folder = join(temporaryFolder(), "demo");
    execFileSync(command, ["demo", "-o", folder], { stdio: ["ignore", "ignore", "inherit"] });
    browser = await launchBrowser();
});
after(() => browser?.close());

/* What `credence explain` prints about a node. */
function explain(node) {
    const model = join(folder, "model.safetensors"),
        data = join(folder, "graph.npz");
    const text = execFileSync(command, [
        "explain",
        model,
        data,
        "--node",
        String(node),
        "--top",
        "15",
        "--json"
    ]);
    return JSON.parse(text);
}

for (const [name, size] of Object.entries(SIZES)) {
    test(`${name}: the demo's report opens, and explains a node as the command does`, { skip }, async () => {
        const { page, complaints } = await openReport(browser, join(folder, "report.html"), size);
        await settle(page);
        assert.match(await page.locator(".headline").innerText(), /Answers \d{2,3}\.\d.% of [\d,]+ test nodes/);
        assert.ok((await page.locator("svg.chart").count()) >= 10);
        const colours = await page.locator("#colour-by option").count();
        assert.equal(colours, 6);
        for (const text of ["Promises, and what came of them", "Before and after calibration", "Every class by itself"])
            assert.equal(await page.getByText(text, { exact: true }).count(), 1, text);
        for (const node of [17, 1234]) {
            await page.getByRole("combobox", { name: "Find a node" }).fill(String(node));
            await page.locator(".found li").first().waitFor();
            await page.keyboard.press("Enter");
            await page.locator(".chosen-node h3", { hasText: node.toLocaleString("en-GB") }).waitFor();
            const rows = await page.locator(".chosen-node tbody tr").allInnerTexts();
            const shown = rows
                .map((row) => row.split(/\s*\t\s*|\n+/))
                .filter(([who]) => !/others$|^From no node$|^Sum$/.test(who));
            const told = explain(node),
                answer = told.logits.indexOf(Math.max(...told.logits)),
                number = (text) => Number(text.replace("−", "-"));
            assert.equal(shown.length, told.contributions.length);
            told.contributions.forEach((one, i) => {
                const who = one.node === node ? "itself" : one.node.toLocaleString("en-GB");
                assert.equal(shown[i][0].trim(), who);
                assert.equal(Number(shown[i][1]), one.hops);
                assert.ok(Math.abs(number(shown[i][3]) - one.logits[answer]) < 0.002, `${who}: ${shown[i]}`);
                assert.ok(Math.abs(number(shown[i][4]) - one.doubt) < 0.002, `${who}: ${shown[i]}`);
            });
            const sum = await page.locator(".chosen-node tbody tr:last-child td").allInnerTexts();
            assert.ok(Math.abs(number(sum[1]) - told.logits[answer]) < 0.002, `${sum}`);
            assert.ok(Math.abs(number(sum[2]) - told.doubt.sum) < 0.002, `${sum}`);
        }
        assert.equal(
            await page.evaluate(
                () => document.documentElement.scrollWidth - document.documentElement.clientWidth
            ),
            0
        );
        assert.deepEqual(complaints, []);
        await page.context().close();
    });
}

test("every kind of model has a page", { skip }, async () => {
    const graph = join(folder, "graph.npz"),
        kinds = ["lp", "gkde", "appnp", "vgcn", "gkde-gcn"];
    const models = kinds.map((kind) => join(folder, `${kind}.safetensors`));
    kinds.forEach((kind, i) => {
        const set = ["--model", kind, "--left-out", "3", "--quiet", "-o", models[i]];
        execFileSync(command, ["train", graph, ...set], { stdio: ["ignore", "ignore", "inherit"] });
    });
    const file = join(folder, "kinds.html");
    const short = ["--iterations", "100", "--quiet", "-o", file];
    execFileSync(command, ["report", ...models, graph, ...short], { stdio: ["ignore", "ignore", "inherit"] });
    const { page, complaints } = await openReport(browser, file, SIZES.desktop);
    for (let i = 0; i < kinds.length; i++) {
        await openPart(page, i);
        const map = page.locator(".map-box canvas").first();
        await map.waitFor();
        const options = await page.locator("#colour-by option").count();
        assert.equal(options, kinds[i] === "appnp" ? 4 : 5, `${kinds[i]}: ways to colour`);
        await page.getByLabel("Colour by").selectOption({ index: options - 1 });
        await map.focus();
        await page.keyboard.press("Enter");
        await page.locator(".chosen-node").waitFor({ state: "visible" });
        const said = await page.locator(".chosen-node").innerText();
        assert.match(said, i < 2 ? /credence explain/ : /no sum over nodes/, kinds[i]);
        assert.doesNotMatch(await page.locator("main").innerText(), /NaN|undefined|\bnull\b/, kinds[i]);
    }
    assert.deepEqual(complaints, []);
    await page.context().close();
});

test("a report of a graph with hostile names runs no script and breaks no layout", { skip }, async () => {
    const graph = join(folder, "hostile");
    const quiet = { stdio: ["ignore", "ignore", "inherit"] };
    execFileSync(
        command,
        ["generate", "--nodes", "300", "--classes", "5", "--to", "csv", "-o", graph],
        quiet
    );
    const evil = [
        "<img src=x onerror=\"window.__pwned='image'\">",
        "</script><script>window.__pwned='script'</script>",
        "\"'`${window.__pwned=1} & \u202eעולם 👩‍👩‍👧‍👦",
        "W".repeat(10000)
    ];
    const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
    const named = (prefix, index) => quoted(evil[index % evil.length] + prefix + index);
    const rename = (file, change) => {
        const [head, ...rows] = readFileSync(join(graph, file), "utf8").trim().split("\n");
        const text = rows.map((row) => change(row.split(",")).join(",")).join("\n");
        writeFileSync(join(graph, file), `${head}\n${text}\n`);
    };
    rename("edges.csv", (ends) => ends.map((end) => named("n", Number(end))));
    rename("labels.csv", ([node, label]) => [named("n", Number(node)), named("c", "ABCDE".indexOf(label))]);
    rename("classes.csv", ([number]) => [number, named("c", Number(number))]);
    const nodes = Array.from({ length: 300 }, (_, i) => `${i},${named("n", i)}`).join("\n");
    writeFileSync(join(graph, "nodes.csv"), `number,name\n${nodes}\n`);
    const model = join(folder, "hostile.safetensors"),
        file = join(folder, "hostile.html");
    execFileSync(command, ["train", graph, "--left-out", "2", "--quiet", "-o", model], quiet);
    execFileSync(command, ["report", model, graph, "--title", evil[1], "--quiet", "-o", file], quiet);
    for (const size of Object.values(SIZES)) {
        const { page, complaints } = await openReport(browser, file, size);
        await page.getByRole("combobox", { name: "Find a node" }).fill("script");
        await page.locator(".found li").first().waitFor();
        await page.keyboard.press("Enter");
        await page.locator(".chosen-node").waitFor({ state: "visible" });
        for (const summary of await page.locator("summary").all()) await summary.click();
        const room = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        assert.equal(await page.evaluate(room), 0);
        assert.match(await page.locator("h1").innerText(), /<\/script><script>/);
        assert.equal(await page.evaluate("window.__pwned"), undefined);
        assert.deepEqual(complaints, []);
        await page.context().close();
    }
});
