/* The pictures of docs/report.md and of the README, of reports that are there already:
 *     credence train coraml --left-out 3 -o coraml.safetensors
 *     credence report coraml.safetensors -o coraml.html
 *     node test/screenshots.js coraml=coraml.html physics=physics.html OUTPUT-FOLDER
 */
import { join, resolve } from "node:path";
import { launchBrowser, openReport } from "./browser.js";

const words = process.argv.slice(2);
const folder = resolve(words.pop() ?? ".");
const browser = await launchBrowser();

/* From the top of one element to the bottom of another. */
async function capture(page, from, to, file) {
    const [first, last] = [
        await page.locator(from).first().boundingBox(),
        await page.locator(to).last().boundingBox()
    ];
    const { width } = page.viewportSize();
    const clip = { x: 0, y: Math.max(0, first.y - 6), width, height: last.y + last.height - first.y + 14 };
    await page.screenshot({ path: join(folder, file), clip, fullPage: true });
    console.log(file);
}

for (const word of words) {
    const [name, file] = word.split("=");
    for (const theme of ["light", "dark"]) {
        const { page, complaints } = await openReport(
            browser,
            resolve(file),
            { width: 1200, height: 900 },
            { colorScheme: theme }
        );
        await page.waitForTimeout(600);
        if (theme === "light") {
            await capture(page, ".page-head", ".map-area", `report-${name}.png`);
            await capture(
                page,
                "section:has(> h2:text('Does it notice'))",
                "section:has(> h2:text('Does it notice'))",
                `report-${name}-unseen.png`
            );
            await capture(
                page,
                "section:has(> h2:text('Does it know'))",
                "section:has(> h2:text('Does it know'))",
                `report-${name}-wrong.png`
            );
            await page.getByRole("combobox", { name: "Find a node" }).fill("1000");
            await page.locator(".found li").first().waitFor();
            await page.keyboard.press("Enter");
            await page.waitForTimeout(600);
            await capture(page, ".chosen-node", ".chosen-node", `report-${name}-node.png`);
        } else {
            await page.getByLabel("Colour by").selectOption("epistemic");
            await page.waitForTimeout(600);
            await capture(page, ".map-tools", ".map-area", `report-${name}-epistemic.png`);
        }
        if (complaints.length > 0) throw new Error(complaints.join("\n"));
        await page.context().close();
    }
}
await browser.close();
