/* SPDX-License-Identifier: MIT */
/* Chromium for the tests: Debian's, or the one that CHROMIUM names. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

export function findChromium() {
    const places = [
        process.env.CHROMIUM,
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome"
    ];
    return places.find((place) => place && existsSync(place)) ?? null;
}

/* Milliseconds after which something that should happen never will: a busy machine may take long. */
export const PATIENCE = 600000;

/* The browser's sandbox does not work everywhere, and the pages are our own. */
export async function launchBrowser(extra = []) {
    const { chromium } = await import("playwright-core");
    return chromium.launch({
        executablePath: findChromium(),
        args: ["--no-sandbox", ...extra],
        timeout: PATIENCE
    });
}

/* A folder that is removed when the program ends. */
export function temporaryFolder() {
    const folder = mkdtempSync(join(tmpdir(), "credence-web-"));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    return folder;
}

/* Runs in the page: window.workLeft() counts the timers, pictures and packed blocks that it still waits for. */
function watchWork() {
    const work = new Set();
    window.workLeft = () => work.size;
    const { setTimeout, clearTimeout, requestAnimationFrame } = window;
    window.setTimeout = (call, ...rest) => {
        const timer = setTimeout(() => work.delete(timer) && call(), ...rest);
        work.add(timer);
        return timer;
    };
    window.clearTimeout = (timer) => {
        work.delete(timer);
        clearTimeout(timer);
    };
    window.requestAnimationFrame = (draw) => {
        const picture = {};
        work.add(picture);
        return requestAnimationFrame((now) => work.delete(picture) && draw(now));
    };
    const read = Response.prototype.arrayBuffer;
    Response.prototype.arrayBuffer = function () {
        const block = {};
        work.add(block);
        return read.call(this).finally(() => work.delete(block));
    };
}

/* Waits until the page has done all it was told: nothing moves, and the map has drawn itself finely. */
export async function settle(page) {
    await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))));
    await page.waitForFunction(() => window.workLeft() === 0, null, { polling: 20 });
}

/* Chooses a part of the page, and waits until it is shown. */
export async function openPart(page, index) {
    await page.locator("#parts a").nth(index).click();
    await page.locator(`#parts a:nth-child(${index + 1})[aria-current]`).waitFor();
    await settle(page);
}

/* Opens a report from its file and waits until it is shown. `complaints` collects its console messages, its errors and
 * its requests for anything but the file. */
export async function openReport(browser, file, size, options = {}) {
    const context = await browser.newContext({
        viewport: size,
        hasTouch: size.width < 500,
        colorScheme: "light",
        reducedMotion: "reduce",
        ...options
    });
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    const complaints = [];
    page.on("console", (message) => {
        const ours = /willReadFrequently/.test(message.text()); /* the tests read pixels; the page does not */
        if (["error", "warning"].includes(message.type()) && !ours) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => {
        if (!request.isNavigationRequest()) complaints.push(`asked for ${request.url().slice(0, 100)}`);
    });
    await page.addInitScript(watchWork);
    if (options.before) await page.addInitScript(options.before);
    await page.goto(`file://${file}`);
    await page.waitForSelector("html[data-ready]");
    return { page, complaints };
}
