/* Runs the tests: node test/run.js [unit] [browser] [--report FILE] Exit code 77 where the browser's tests
 * were skipped, for want of a browser or of `npm ci`. FILE is a report that `credence demo` wrote: it is
 * opened too. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findChromium } from "./browser.js";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const words = process.argv.slice(2);
const reportAt = words.indexOf("--report");
if (reportAt >= 0) process.env.CREDENCE_REPORT = words.splice(reportAt, 2)[1];
const wanted = words.length > 0 ? words : ["unit", "browser"];

function runTests(folder) {
    const files = readdirSync(here(folder)).filter((name) => name.endsWith(".test.js"));
    return spawnSync(process.execPath, ["--test", ...files.map((name) => here(`${folder}/${name}`))], {
        stdio: "inherit"
    }).status;
}

let status = wanted.includes("unit") ? runTests("unit") : 0;
if (status === 0 && wanted.includes("browser")) {
    const lacking = !findChromium()
        ? "there is no Chromium (scripts/setup.sh web installs it)"
        : !existsSync(here("../node_modules/playwright-core"))
          ? "web/node_modules is not there (scripts/setup.sh web makes it)"
          : null;
    if (lacking) {
        console.log(`the report's tests in a browser were skipped: ${lacking}`);
        status = 77;
    } else status = runTests("browser");
}
process.exit(status ?? 1);
