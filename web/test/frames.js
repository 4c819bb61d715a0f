/* SPDX-License-Identifier: MIT */
/* How many pictures per second the map draws while it is dragged and zoomed.
 *     node test/frames.js [REPORT.html or NUMBER OF NODES]
 */
import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { launchBrowser, openReport, SIZES, temporaryFolder } from "./browser.js";
import { modelPart } from "./make_model.js";
import { makePage } from "./make_page.js";

const SECONDS = 4;

/* Records when a picture of the map is finished, and the time since its frame began. */
function watchPictures() {
    const pictures = [];
    const put = CanvasRenderingContext2D.prototype.putImageData;
    let frameBegan = 0;
    const ask = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (callback) =>
        ask((time) => {
            frameBegan = performance.now();
            callback(time);
        });
    CanvasRenderingContext2D.prototype.putImageData = function (...values) {
        put.apply(this, values);
        pictures.push([performance.now(), performance.now() - frameBegan]);
    };
    window.pictures = pictures;
}

async function measure(page, name, move) {
    await page.waitForTimeout(500);
    await page.evaluate(() => void (window.pictures.length = 0));
    const begun = Date.now();
    for (let step = 0; Date.now() - begun < 1000 * SECONDS; step++) await move(step);
    const pictures = await page.evaluate(() => window.pictures);
    const span = (pictures[pictures.length - 1][0] - pictures[0][0]) / 1000;
    const times = pictures.map(([, time]) => time).sort((a, b) => a - b);
    const gaps = pictures
        .slice(1)
        .map(([at], i) => at - pictures[i][0])
        .sort((a, b) => a - b);
    console.log(
        `${name}: ${((pictures.length - 1) / span).toFixed(1)} frames a second over ${span.toFixed(1)} s; ` +
            `drawing takes ${times[times.length >> 1].toFixed(1)} ms (median), ` +
            `19 of 20 pictures come within ${gaps[Math.floor(0.95 * gaps.length)].toFixed(1)} ms`
    );
}

const what = process.argv[2] ?? "169343";
let file = resolve(what);
if (!existsSync(what)) {
    if (!/^\d+$/.test(what)) throw new Error(`${what}: no such file`);
    file = join(temporaryFolder(), "report.html");
    const part = modelPart({ nodes: Number(what), known: 40, out: 4, degree: 14 });
    writeFileSync(file, makePage({ title: "Frames", parts: [part] }));
}
const browser = await launchBrowser();
const { page } = await openReport(browser, file, SIZES.desktop, { before: watchPictures });
const box = await page.locator(".map-box canvas").first().boundingBox();
console.log(`${await browser.version()}, map of ${Math.round(box.width)} x ${Math.round(box.height)} pixels`);
const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
const circle = (step) => [x + 120 * Math.cos(step / 15) - 120, y + 90 * Math.sin(step / 15)];
for (const zoomed of [false, true]) {
    if (zoomed) {
        await page.mouse.move(x, y);
        for (let i = 0; i < 5; i++) await page.mouse.wheel(0, -200);
    }
    await page.mouse.move(x, y);
    await page.mouse.down();
    await measure(page, zoomed ? "dragging, zoomed in" : "dragging", (step) =>
        page.mouse.move(...circle(step))
    );
    await page.mouse.up();
}
await measure(page, "zooming", (step) => page.mouse.wheel(0, step % 60 < 30 ? -20 : 20));
await browser.close();
