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

/* For root there is no sandbox for the browser; the pages are our own. */
export async function launchBrowser(extra = []) {
    const { chromium } = await import("playwright-core");
    const args = [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), ...extra];
    return chromium.launch({ executablePath: findChromium(), args });
}

/* A folder that is removed when the program ends. */
export function temporaryFolder() {
    const folder = mkdtempSync(join(tmpdir(), "credence-web-"));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    return folder;
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
    if (options.before) await page.addInitScript(options.before);
    await page.goto(`file://${file}`);
    await page.waitForSelector("html[data-ready]", { timeout: 60000 });
    return { page, complaints };
}
