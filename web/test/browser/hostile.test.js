/* SPDX-License-Identifier: MIT */
/* Hostile reports, and reports that lack something. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launchBrowser, openPart, openReport, PATIENCE, settle, SIZES, temporaryFolder } from "../browser.js";
import { modelPart } from "../make_model.js";
import { makePage } from "../make_page.js";

const EVIL = [
    "<img src=x onerror=\"window.__pwned='image'\">",
    "</script><script>window.__pwned='script'</script>",
    "\"><svg onload=\"window.__pwned='svg'\">'`${window.__pwned=1}",
    "javascript:window.__pwned='address'",
    "W".repeat(10000),
    "שלום \u202eעולם\u202d مرحبا",
    "👩‍👩‍👧‍👦".repeat(2000),
    "a\nb\u0000c\u0007d & <b>&lt;</b>"
];
const folder = temporaryFolder();
let browser;

before(async () => {
    browser = await launchBrowser();
});
after(() => browser?.close());

function write(name, page) {
    const file = join(folder, name);
    writeFileSync(file, makePage(page));
    return file;
}

/* Elements that stick out to the right of the page, except those that scroll in their own box. */
async function overflow(page) {
    return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

for (const [name, size] of Object.entries(SIZES)) {
    test(`${name}: names of HTML, quotes, emoji and 10 kB run no script and break no layout`, async () => {
        const part = modelPart({
            nodes: 400,
            known: 5,
            out: 3,
            classNames: EVIL,
            title: EVIL[4],
            nodeNames: (i) => EVIL[i % EVIL.length] + (i >= EVIL.length ? i : "")
        });
        const facts = part.blocks.find((block) => block.name === "facts").value;
        Object.assign(facts.data, { path: EVIL[4], notes: EVIL });
        Object.assign(facts, { command: EVIL.join(" ") });
        facts.model.config = Object.fromEntries(EVIL.map((text) => [text, text]));
        const file = write(`hostile-${name}.html`, {
            title: EVIL.join(" "),
            parts: [part, { ...part, title: EVIL[0] }]
        });
        const { page, complaints } = await openReport(browser, file, size);
        await settle(page);
        assert.equal(await overflow(page), 0);
        for (const query of ["img", "wwww", "👩", "שלום"]) {
            await page.getByRole("combobox", { name: "Find a node" }).fill(query);
            await page.locator(".found li").first().waitFor();
            assert.equal(await overflow(page), 0, `searching ${query}`);
            await page.keyboard.press("Enter");
            await settle(page);
            assert.equal(await overflow(page), 0, `showing ${query}`);
            const { width } = await page.locator(".chosen-node").boundingBox();
            assert.ok(width <= size.width);
        }
        const ring = await page.locator(".ring.chosen").boundingBox();
        await page.mouse.move(ring.x + ring.width / 2, ring.y + ring.height / 2);
        await settle(page);
        for (const colouring of ["predicted", "correct", "aleatoric", "epistemic", "truth"]) {
            await page.getByLabel("Colour by").selectOption(colouring);
            assert.equal(await overflow(page), 0, colouring);
        }
        for (const summary of await page.locator("summary").all()) await summary.click();
        assert.equal(await overflow(page), 0, "with all tables open");
        await openPart(page, 1);
        assert.equal(await overflow(page), 0, "the second part");
        assert.equal(await page.evaluate(() => window.__pwned), undefined);
        assert.equal(await page.locator("main img, main script, main b").count(), 0);
        assert.deepEqual(complaints, []);
        await page.context().close();
    });
}

test("a model without evidence or curves shows what it has, and that it cannot be explained", async () => {
    const part = modelPart({
        nodes: 200,
        out: 0,
        evidence: false,
        explain: false,
        overrides: { curves: null, history: null }
    });
    const file = write("bare.html", { title: "Bare", parts: [part] });
    const { page, complaints } = await openReport(browser, file, SIZES.desktop);
    assert.deepEqual(await page.locator("#colour-by option").allInnerTexts(), [
        "True class",
        "Answer",
        "Right or wrong",
        "Aleatoric uncertainty"
    ]);
    await page.getByRole("combobox", { name: "Find a node" }).fill("7");
    await page.locator(".found li").first().waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".chosen-node").waitFor({ state: "visible" });
    assert.match(await page.locator(".chosen-node").innerText(), /no sum over nodes/);
    assert.deepEqual(complaints, []);
    await page.context().close();
});

test("a damaged report says so in one sentence", async () => {
    const part = modelPart({ nodes: 50 });
    const text = makePage({ title: "Damaged", parts: [part] }).replace(
        /(data-name="curves"[^>]*>.{40}).{40}/,
        "$1" + "A".repeat(40)
    );
    const file = join(folder, "damaged.html");
    writeFileSync(file, text);
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE);
    await page.goto(`file://${file}`);
    await page.locator(".alert").waitFor();
    assert.match(await page.locator("main").innerText(), /^The report is damaged: .+/);
    await page.context().close();
});

/* Damages the block `name` of part `part`. */
function damage(text, part, name) {
    const block = new RegExp(`(data-part="${part}" data-name="${name}"[^>]*>.{40}).{40}`);
    assert.match(text, block);
    return text.replace(block, "$1" + "A".repeat(40));
}

test("a damaged part says so in one sentence, and the other parts are shown", async () => {
    const parts = ["first", "second", "third"].map((title) => ({ ...modelPart({ nodes: 50 }), title }));
    const file = join(folder, "damaged-part.html");
    writeFileSync(file, damage(makePage({ title: "Damaged", parts }), 1, "curves"));
    const { page } = await openReport(browser, file, SIZES.desktop);
    for (const again of [1, 2]) {
        await page.locator("#parts a").nth(1).click();
        await page.locator(".alert").waitFor();
        assert.match(await page.locator("main").innerText(), /^The report is damaged: .+/, `time ${again}`);
        await page.locator("#parts a").nth(2).click();
        await page.locator(".part-title", { hasText: "third" }).waitFor();
        assert.equal(await page.locator(".alert").count(), 0);
    }
    await page.context().close();
});

test("a damaged graph says so where a node would be explained", async () => {
    const file = join(folder, "damaged-graph.html");
    writeFileSync(file, damage(makePage({ title: "Damaged", parts: [modelPart({ nodes: 400 })] }), 0, "graph"));
    const { page } = await openReport(browser, file, SIZES.desktop);
    await page.getByRole("combobox", { name: "Find a node" }).fill("7");
    await page.locator(".found li").first().waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".chosen-node .alert").waitFor();
    assert.match(await page.locator(".chosen-node .alert").innerText(), /^The report is damaged: .+/);
    await page.context().close();
});

test("of two parts clicked quickly the last one is shown, even if the first is unpacked later", async () => {
    const parts = ["first", "second", "third"].map((title) => ({ ...modelPart({ nodes: 50 }), title }));
    const file = write("quick.html", { title: "Quick", parts });
    /* The second part's blocks arrive only when the test releases them. */
    const before = () => {
        const read = Response.prototype.arrayBuffer;
        window.held = [];
        Response.prototype.arrayBuffer = async function () {
            const wait = location.hash === "#part-2";
            const bytes = await read.call(this);
            if (wait) await new Promise((go) => window.held.push(go));
            return bytes;
        };
    };
    const { page, complaints } = await openReport(browser, file, SIZES.desktop, { before });
    await page.locator("#parts a").nth(1).click();
    await page.waitForFunction(() => window.held.length > 0);
    await page.locator("#parts a").nth(2).click();
    await page.locator(".part-title", { hasText: "third" }).waitFor();
    await page.evaluate(async () => {
        /* More may come while the page unpacks one after the other. */
        while (window.workLeft() > 0 || window.held.length > 0) {
            window.held.splice(0).forEach((go) => go());
            await new Promise((go) => setTimeout(go, 10));
        }
    });
    assert.equal(await page.locator(".part-title").innerText(), "third");
    assert.equal(await page.locator("#parts a[aria-current]").innerText(), "third");
    await page.locator("#parts a").nth(1).click();
    await page.locator(".part-title", { hasText: "second" }).waitFor();
    assert.equal(await page.locator(".part-title").count(), 1);
    assert.deepEqual(complaints, []);
    await page.context().close();
});

test("a browser without DecompressionStream is told what it lacks", async () => {
    const file = write("old.html", { title: "Old", parts: [modelPart({ nodes: 50 })] });
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE);
    await page.addInitScript(() => delete window.DecompressionStream);
    await page.goto(`file://${file}`);
    await page.locator(".alert").waitFor();
    assert.match(await page.locator("main").innerText(), /lacks DecompressionStream/);
    await page.context().close();
});

test("forty-seven classes have a legend that scrolls and a map of shapes", async () => {
    const part = modelPart({ nodes: 3000, known: 44, out: 3 });
    const file = write("many.html", { title: "Many", parts: [part] });
    for (const size of Object.values(SIZES)) {
        const { page, complaints } = await openReport(browser, file, size);
        assert.equal(await page.locator(".entry").count(), 46);
        assert.equal(await overflow(page), 0);
        assert.deepEqual(complaints, []);
        await page.context().close();
    }
});
