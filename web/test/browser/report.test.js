/* SPDX-License-Identifier: MIT */
/* A report in a browser, used as a person would: from its file, on a desktop and on a phone. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { CLASS_COLOURS, parseColour } from "../../src/colours.js";
import { launchBrowser, openReport, settle, SIZES, temporaryFolder } from "../browser.js";
import { modelPart } from "../make_model.js";
import { makePage } from "../make_page.js";

const NAMES = (i) => (i === 42 ? "The paper about everything" : `paper ${i}`);
let browser, file, part;

before(async () => {
    part = modelPart({ nodes: 600, nodeNames: NAMES });
    file = join(temporaryFolder(), "report.html");
    writeFileSync(file, makePage({ title: "A made report", parts: [part] }));
    browser = await launchBrowser();
});
after(() => browser?.close());

const block = (name) => part.blocks.find((one) => one.name === name).value;

/* The number of pixels on the map for each colour. */
function countPixels(page, colours) {
    return page.evaluate((wanted) => {
        const canvas = document.querySelector(".map-box canvas");
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        return wanted.map(([red, green, blue]) => {
            let count = 0;
            for (let i = 0; i < data.length; i += 4)
                if (data[i] === red && data[i + 1] === green && data[i + 2] === blue) count++;
            return count;
        });
    }, colours);
}

/* The place of a node on the page, from the page itself: the test searches for it, and the map flies to it. */
async function flyTo(page, query) {
    await page.getByRole("combobox", { name: "Find a node" }).fill(query);
    await page.locator(".found li").first().waitFor();
    await page.keyboard.press("Enter");
    await settle(page);
    const ring = await page.locator(".ring.chosen").boundingBox();
    return [ring.x + ring.width / 2, ring.y + ring.height / 2];
}

async function overflow(page) {
    return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

for (const [name, size] of Object.entries(SIZES)) {
    test(`${name}: the page shows itself, without a complaint or a request`, async () => {
        const { page, complaints } = await openReport(browser, file, size);
        await settle(page);
        const headline = await page.locator(".headline").innerText();
        assert.match(headline, /Answers 9\d\.\d.% of \d+ test nodes of the classes it knows right/);
        assert.match(headline, /\d\d times out of 100 by the evidence/);
        const charts = await page.locator("svg.chart").count();
        assert.ok(charts >= 14, `${charts} charts`);
        for (const text of [
            "ROC",
            "precision, recall",
            "Reliability",
            "Risk and coverage",
            "Training",
            "Confusion matrix"
        ])
            assert.ok((await page.getByText(text).count()) > 0, text);
        assert.equal(await overflow(page), 0);
        assert.deepEqual(complaints, []);
        await page.context().close();
    });

    test(`${name}: colours, out-of-distribution nodes and the legend`, async () => {
        const { page, complaints } = await openReport(browser, file, size);
        await settle(page);
        const colours = [...CLASS_COLOURS.light.slice(0, 6).map(parseColour), [0, 0, 0]];
        const truth = await countPixels(page, colours);
        for (const k of [0, 1, 2, 3, 6]) assert.ok(truth[k] > 100, `colour ${k}: ${truth}`);
        assert.ok(truth[4] === 0 && truth[5] === 0, "classes that were left out have no colour but black");

        await page.getByLabel("Mark what is out of distribution").uncheck();
        await settle(page);
        const plain = await countPixels(page, colours);
        assert.ok(plain[4] > 100 && plain[5] > 100 && plain[6] === 0, `${plain}`);
        await page.getByLabel("Mark what is out of distribution").check();

        await page.locator(".entry", { hasText: "class A" }).click();
        await settle(page);
        const hidden = await countPixels(page, colours);
        assert.ok(hidden[0] === 0 && hidden[1] > 100, `${hidden}`);
        assert.equal(
            await page.locator(".entry", { hasText: "class A" }).getAttribute("aria-pressed"),
            "false"
        );
        await page.getByRole("button", { name: "Show all" }).last().click();

        await page.getByLabel("Colour by").selectOption("correct");
        await settle(page);
        const [right, wrong, classes] = await countPixels(page, [
            [0x29, 0x8c, 0xaf],
            [0xd1, 0x35, 0x0f],
            parseColour("#f19420")
        ]);
        assert.ok(right > 100 && wrong > 20 && classes === 0, `${right} ${wrong} ${classes}`);
        assert.equal(await page.locator(".entry", { hasText: "wrong" }).count(), 1);

        for (const doubt of ["aleatoric", "epistemic"]) {
            await page.getByLabel("Colour by").selectOption(doubt);
            await settle(page);
            assert.ok((await page.locator(".scale-bar").count()) === 1);
            const [black, orange] = await countPixels(page, [[0, 0, 0], parseColour("#f19420")]);
            assert.ok(black > 20 && orange === 0, `${doubt}: rings are black (${black})`);
        }
        await page.getByLabel("Colour by").selectOption("predicted");
        await settle(page);
        assert.ok((await countPixels(page, colours))[2] > 100);
        assert.deepEqual(complaints, []);
        await page.context().close();
    });

    test(`${name}: search flies to a node, hover and click say what it is`, async () => {
        const { page, complaints } = await openReport(browser, file, size);
        await settle(page);
        const [x, y] = await flyTo(page, "everything");
        const panel = page.locator(".chosen-node");
        assert.match(await panel.innerText(), /Node 42: The paper about everything/);
        const label = block("label")[42];
        assert.ok((await panel.innerText()).includes(label < 0 ? "unknown" : block("classes")[label].name));
        const shares = await panel.locator("tbody tr td:last-child").allInnerTexts();
        const sum = shares.reduce((all, text) => all + parseFloat(text), 0);
        assert.ok(Math.abs(sum - 100) < 1, `shares add up to ${sum}`);
        const streams = await panel.locator(".stream").count();
        assert.ok(streams >= 5 && streams <= 15, `${streams} streams`);

        if (name === "desktop") {
            await page.mouse.move(x, y);
            const tooltip = page.locator(".tooltip");
            await tooltip.waitFor({ state: "visible" });
            const text = await tooltip.innerText();
            assert.match(text, /Node\s*42/);
            assert.match(text, /The paper about everything/);
            for (const what of ["True class", "Answer", "Probability", "Aleatoric", "Evidence", "Epistemic"])
                assert.ok(text.includes(what), what);
            await page.mouse.move(5, 5);
            await tooltip.waitFor({ state: "hidden" });
            await flyTo(page, "17");
            assert.match(await panel.innerText(), /Node 17: paper 17/);
        }
        const there = await flyTo(page, "100");
        await page.locator(".map-box canvas").first().scrollIntoViewIfNeeded();
        const ring = await page.locator(".ring.chosen").boundingBox();
        const at = [ring.x + ring.width / 2, ring.y + ring.height / 2];
        if (name === "desktop") await page.mouse.click(...at);
        else await page.touchscreen.tap(...at);
        await settle(page);
        assert.ok(there.every(Number.isFinite));
        assert.match(await panel.innerText(), /Node 100: paper 100/);

        await panel.locator("tbody button").first().click();
        await settle(page);
        assert.doesNotMatch(await panel.locator("h3").innerText(), /Node 100:/);
        assert.equal(await overflow(page), 0);
        assert.deepEqual(complaints, []);
        await page.context().close();
    });

    test(`${name}: dragging and zooming move the map, and it comes back`, async () => {
        const { page, complaints } = await openReport(browser, file, size);
        await settle(page);
        const picture = async () => {
            const text = await page.evaluate(() => document.querySelector(".map-box canvas").toDataURL());
            return createHash("sha256").update(text).digest("hex");
        };
        await page.locator(".map-box").scrollIntoViewIfNeeded();
        const home = await picture();
        const box = await page.locator(".map-box canvas").first().boundingBox();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x + 60, y + 30, { steps: 5 });
        await page.mouse.up();
        await settle(page);
        const moved = await picture();
        assert.notEqual(moved, home);
        assert.ok(await page.locator(".chosen-node").isHidden(), "a drag is no click");
        await page.mouse.wheel(0, -300);
        await settle(page);
        assert.notEqual(await picture(), moved);
        await page.getByRole("button", { name: "Show all" }).first().click();
        await settle(page);
        assert.equal(await picture(), home);
        await page.locator(".map-box canvas").first().focus();
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("+");
        await settle(page);
        assert.notEqual(await picture(), home);
        await page.keyboard.press("0");
        await settle(page);
        assert.equal(await picture(), home);
        await page.keyboard.press("Enter");
        await page.locator(".chosen-node").waitFor({ state: "visible" });
        assert.deepEqual(complaints, []);
        await page.context().close();
    });
}

test("phone: one finger moves the map, two zoom it", async () => {
    const { page, complaints } = await openReport(browser, file, SIZES.phone);
    await page.locator(".map-box").scrollIntoViewIfNeeded();
    await flyTo(page, "42");
    await page.locator(".map-box").scrollIntoViewIfNeeded();
    const ring = async () => {
        await settle(page);
        const { x, y, width, height } = await page.locator(".ring.chosen").boundingBox();
        return [x + width / 2, y + height / 2, width];
    };
    const [x, y, size] = await ring();
    const touches = await page.context().newCDPSession(page);
    const touch = (type, ...points) =>
        touches.send("Input.dispatchTouchEvent", {
            type,
            touchPoints: points.map(([px, py], id) => ({ x: px, y: py, id }))
        });
    await touch("touchStart", [x + 30, y]);
    for (let i = 1; i <= 5; i++) await touch("touchMove", [x + 30 + 6 * i, y - 4 * i]);
    await touch("touchEnd");
    const moved = await ring();
    assert.ok(Math.abs(moved[0] - x - 30) < 2 && Math.abs(moved[1] - y + 20) < 2, `${moved} from ${[x, y]}`);
    const [left, right] = [
        [moved[0] - 20, moved[1]],
        [moved[0] + 20, moved[1]]
    ];
    await touch("touchStart", left, right);
    for (let i = 1; i <= 5; i++)
        await touch("touchMove", [left[0] - 8 * i, left[1]], [right[0] + 8 * i, right[1]]);
    await touch("touchEnd");
    const zoomed = await ring();
    assert.ok(zoomed[2] > size, `${zoomed[2]} is larger than ${size}`);
    assert.ok(Math.abs(zoomed[0] - moved[0]) < 4, "what is between the fingers stays there");
    assert.deepEqual(complaints, []);
    await page.context().close();
});

test("the slider of risk and coverage speaks", async () => {
    const { page } = await openReport(browser, file, SIZES.desktop);
    const sentence = page.locator(".risk-sentence");
    assert.match(
        await sentence.innerText(),
        /Answer the 90.% surest .* and be wrong \d+\.\d.% of the time\./
    );
    await page.getByLabel("Share of the nodes that is answered").fill("50");
    assert.match(await sentence.innerText(), /Answer the 50.% surest/);
    await page.context().close();
});

test("dark and light: as the system says, then as the switch says", async () => {
    const { page, complaints } = await openReport(browser, file, SIZES.desktop, { colorScheme: "dark" });
    await settle(page);
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(await background(), "rgb(20, 23, 28)");
    const [white, black] = await countPixels(page, [
        [255, 255, 255],
        [0, 0, 0]
    ]);
    assert.ok(white > 100 && black === 0, "out-of-distribution nodes are white on black");
    await page.getByRole("button", { name: "Light" }).click();
    await settle(page);
    assert.equal(await background(), "rgb(255, 255, 255)");
    assert.ok((await countPixels(page, [[0, 0, 0]]))[0] > 100);
    assert.deepEqual(complaints, []);
    await page.context().close();
});

test("numbers behind a chart can be read as a table", async () => {
    const { page } = await openReport(browser, file, SIZES.desktop);
    const figure = page.locator("figure", { hasText: "Reliability" });
    await figure.getByText("The numbers as a table").click();
    await figure.locator("tbody tr").first().waitFor();
    assert.equal(await figure.locator("tbody tr").count(), 10);
    await page.context().close();
});

test("on paper there is a picture of the map", async () => {
    const { page } = await openReport(browser, file, SIZES.desktop, { colorScheme: "dark" });
    await settle(page);
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    const paper = page.locator("canvas.paper");
    assert.ok(await paper.isVisible());
    assert.ok(await page.locator(".map-box canvas").first().isHidden());
    const black = await page.evaluate(() => {
        const canvas = document.querySelector("canvas.paper");
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let count = 0;
        for (let i = 0; i < data.length; i += 4) if (data[i] + data[i + 1] + data[i + 2] === 0) count++;
        return count;
    });
    assert.ok(black > 100, "light, whatever the screen is");
    assert.equal(
        await page.evaluate(() => getComputedStyle(document.body).backgroundColor),
        "rgb(255, 255, 255)"
    );
    const pdf = await page.pdf({ format: "A4" });
    assert.ok(pdf.length > 20000);
    await page.context().close();
});

test("a committee's page: doubt, who speaks for an answer, promises, all networks", async () => {
    const made = modelPart({ nodes: 400, committee: true, evidence: false, explain: false, title: "committee on made" });
    const path = join(temporaryFolder(), "committee.html");
    writeFileSync(path, makePage({ title: "A committee", parts: [made] }));
    for (const size of Object.values(SIZES)) {
        const { page, complaints } = await openReport(browser, path, size);
        await settle(page);
        await page.getByLabel("Colour by").selectOption("doubt");
        await settle(page);
        assert.match(await page.locator(".map-side").innerText(), /little doubt\s+0\s+much doubt\s+1\s/);
        await flyTo(page, "42");
        const rows = await page.locator(".chosen-node tbody tr").allInnerTexts();
        assert.match(rows.at(-1), /^Sum/);
        assert.match(rows.at(-2), /^From no node/);
        const cells = rows.map((row) => row.replaceAll("−", "-").trim().split(/\s+/).map(Number));
        const doubt = cells.slice(0, -1).reduce((sum, row) => sum + row.at(-1), 0);
        assert.ok(Math.abs(doubt - cells.at(-1).at(-1)) < 0.02, `${doubt}`);
        assert.match(await page.locator(".chosen-node .sides").innerText(), /for it .* against it[^]*for doubt/);
        const tables = (await page.locator(".tables-panel").allInnerTexts()).join("\n");
        assert.match(tables, /1\u202f%\s+1\.2\u202f%\s+43\.0\u202f%/);
        assert.match(tables, /1\u202f%\s+–\s+–/);
        assert.match(tables, /2 to 4 neighbours\s+91\.6\u202f%/);
        assert.match(tables, /all\s+400\s+8\.0\u202f%\s+2\.0\u202f%\s+0\.800\s+0\.200/);
        assert.match(tables, /class A\s+50\s+90\.0\u202f%\s+–/);
        assert.ok((await page.getByText("network 2").count()) >= 3);
        assert.equal(await page.getByText("How much each view counts").count() > 0, true);
        assert.doesNotMatch(await page.locator("main").innerText(), /NaN|undefined|\bnull\b/);
        assert.equal(await overflow(page), 0);
        assert.deepEqual(complaints, []);
        await page.context().close();
    }
});
