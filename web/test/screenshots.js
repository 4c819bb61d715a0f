/* SPDX-License-Identifier: MIT */
/* The pictures of docs/report.md and of the README, of the reports of two models:
 *     credence train coraml --left-out 3 -o coraml.safetensors
 *     credence report coraml.safetensors -o coraml.html
 *     credence train physics --left-out 2 -o physics.safetensors
 *     credence report physics.safetensors -o physics.html
 *     node test/screenshots.js coraml.html physics.html OUTPUT-FOLDER
 * pngquant makes them smaller where it is installed. */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { launchBrowser, openReport, SIZES } from "./browser.js";

const DESK = { width: 1200, height: 900 };

async function showNode(page) {
    await page.getByRole("combobox", { name: "Find a node" }).fill("1000");
    await page.locator(".found li").first().waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".chosen-node").waitFor({ state: "visible" });
}

async function colourByDoubt(page) {
    await page.getByLabel("Colour by").selectOption("epistemic");
}

/* A picture goes from the top of one element to the bottom of another. */
const section = (title) => `section:has(> h2:text('${title}'))`;
const whole = (element) => ({ from: element, to: element });
const PICTURES = [
    { name: "coraml", of: 0, from: ".page-head", to: ".map-area" },
    { name: "coraml-node", of: 0, first: showNode, ...whole(".chosen-node") },
    { name: "coraml-wrong", of: 0, ...whole(section("Does it know")) },
    { name: "coraml-phone", of: 0, size: SIZES.phone, from: ".page-head", to: ".map-side" },
    { name: "physics", of: 1, from: ".page-head", to: ".map-area" },
    {
        name: "physics-doubt",
        of: 1,
        theme: "dark",
        first: colourByDoubt,
        from: ".map-tools",
        to: ".map-area"
    },
    { name: "physics-unseen", of: 1, ...whole(section("Does it notice")) }
];

const words = process.argv.slice(2);
if (words.length !== 3) throw new Error("wanted: the report of CoraML, that of Coauthor Physics, a folder");
const folder = resolve(words.pop());
const browser = await launchBrowser();
for (const { name, of, size = DESK, theme = "light", first, from, to } of PICTURES) {
    const { page, complaints } = await openReport(browser, resolve(words[of]), size, { colorScheme: theme });
    if (first) await first(page);
    await page.waitForTimeout(700);
    const [start, end] = [await page.locator(from).boundingBox(), await page.locator(to).boundingBox()];
    const clip = {
        x: 0,
        y: Math.max(0, start.y - 6),
        width: size.width,
        height: end.y + end.height - start.y + 14
    };
    const path = join(folder, `report-${name}.png`);
    await page.screenshot({ path, clip, fullPage: true });
    spawnSync("pngquant", ["--quality", "80-100", "--strip", "--force", "--output", path, path]);
    if (complaints.length > 0) throw new Error(complaints.join("\n"));
    await page.context().close();
    console.log(path);
}
await browser.close();
