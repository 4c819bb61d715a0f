/* SPDX-License-Identifier: MIT */
/* The headline in words, and the facts about the report. */
import { clip, element, nameElement, rowsTable } from "./dom.js";
import { formatCount, formatNumber, formatPercent, isNumber, NO_NUMBER } from "./numbers.js";

function timesOfHundred(share) {
    return `${Math.round(100 * share)} times out of 100`;
}

/* In which direction probabilities are wrong, if mostly in one. */
function leaning({ bins, ece }) {
    const filled = bins.filter((bin) => bin.count > 0);
    const all = filled.reduce((sum, bin) => sum + bin.count, 0);
    const more = filled.reduce((sum, bin) => sum + (bin.count * (bin.accuracy - bin.confidence)) / all, 0);
    if (Math.abs(more) < 0.5 * ece) return "";
    return `: it is right ${more > 0 ? "more" : "less"} often than they say`;
}

/* Sentences: [[text, strong text, text, ...], ...]; every second piece is emphasised. */
export function headlineOf(curves, classes) {
    const lines = [],
        errors = curves?.errors,
        ood = curves?.ood;
    if (errors && isNumber(errors.accuracy))
        lines.push([
            "Answers ",
            formatPercent(errors.accuracy),
            ` of ${formatCount(errors.nodes)} test nodes ` +
                (classes.some((one) => one.out) ? "of the classes it knows right" : "right") +
                (isNumber(errors.evaluation?.balanced_accuracy)
                    ? ` (${formatPercent(errors.evaluation.balanced_accuracy)} in the mean over classes).`
                    : ".")
        ]);
    const found = ood ? ["epistemic", "aleatoric"].filter((name) => isNumber(ood.scores[name]?.auroc)) : [];
    if (found.length > 0) {
        const by = {
            epistemic: /evidence/.test(ood.scores.epistemic?.histogram?.label ?? "evidence")
                ? " by the evidence behind its answers"
                : " by its epistemic uncertainty",
            aleatoric: " by the probability of its answers"
        };
        const second =
            found.length > 1 ? `, ${timesOfHundred(ood.scores.aleatoric.auroc)} by their probability` : "";
        lines.push([
            "Tells nodes of classes it never saw from those it knows ",
            timesOfHundred(ood.scores[found[0]].auroc),
            `${by[found[0]]}${second} (guessing: 50).`
        ]);
    }
    if (errors && isNumber(errors.scores?.aleatoric?.auroc) && errors.positives > 0)
        lines.push([
            "Doubts its wrong answers more than its right ones ",
            timesOfHundred(errors.scores.aleatoric.auroc),
            "."
        ]);
    if (isNumber(errors?.reliability?.ece))
        lines.push([
            "Its probabilities are off by ",
            `${(100 * errors.reliability.ece).toFixed(1)} points`,
            ` on average (expected calibration error)${leaning(errors.reliability)}.`
        ]);
    const flagged = errors?.evaluation?.promises?.false_alarms?.find((one) => isNumber(one.detected));
    if (flagged && isNumber(flagged.false_alarms))
        lines.push([
            `With at most ${formatPercent(flagged.promised, 0)} false alarms promised, it flags `,
            formatPercent(flagged.detected),
            ` of the nodes of unseen classes and ${formatPercent(flagged.false_alarms)} of the others.`
        ]);
    return lines;
}

export function headlineElement(lines) {
    return element(
        "ul",
        { class: "headline" },
        lines.map((pieces) =>
            element(
                "li",
                null,
                pieces.map((piece, i) => (i % 2 === 1 ? element("strong", null, piece) : piece))
            )
        )
    );
}

function plainValue(value) {
    if (value === null || value === undefined) return NO_NUMBER;
    if (typeof value === "number")
        return Number.isInteger(value) ? formatCount(value) : formatNumber(value, 4);
    if (typeof value === "boolean") return value ? "yes" : "no";
    if (Array.isArray(value)) return clip(value.slice(0, 60).map(plainValue).join(", "), 600);
    if (typeof value === "object") return clip(JSON.stringify(value), 600);
    return clip(value, 600);
}

function factPanel(title, object, leaveOut = []) {
    const pairs = Object.entries(object ?? {}).filter(
        ([name, value]) => !leaveOut.includes(name) && !(Array.isArray(value) && value.length === 0)
    );
    if (pairs.length === 0) return null;
    return element(
        "section",
        { class: "panel" },
        element("h3", null, title),
        element(
            "div",
            { class: "node-facts" },
            pairs.map(([name, value]) =>
                element(
                    "div",
                    null,
                    element("span", { class: "what" }, clip(name.replaceAll("_", " "), 60)),
                    element("bdi", { title: clip(plainValue(value), 300) }, plainValue(value))
                )
            )
        )
    );
}

/* Data, model, options, version, command. */
export function showFacts(facts, classes, root) {
    const configuration = facts.model?.config ?? null;
    /* The model's graph and version are listed only if they differ from the page's. */
    const known = ["config"];
    if (facts.model?.fingerprint === facts.data?.fingerprint) known.push("fingerprint");
    if (facts.model?.version === facts.credence) known.push("version");
    root.append(element("h2", null, "What made this"));
    if (facts.command)
        root.append(
            element(
                "pre",
                { class: "command", tabindex: "0", "aria-label": "The command" },
                clip(facts.command, 4000)
            )
        );
    const lists = [
        factPanel("Data", facts.data),
        factPanel("Model", { ...facts.model, credence: facts.credence }, known),
        factPanel("Options", configuration),
        factPanel("Map", facts.map)
    ].filter(Boolean);
    root.append(element("div", { class: "charts" }, lists));
    root.append(
        element(
            "details",
            { class: "numbers" },
            element("summary", null, `The ${classes.length} classes`),
            element(
                "div",
                { class: "scroll", tabindex: "0" },
                rowsTable(
                    ["class", "nodes", "training nodes", ""],
                    classes.map((one) =>
                        element(
                            "tr",
                            null,
                            element("td", null, nameElement(one.name)),
                            element("td", { class: "number" }, formatCount(one.nodes)),
                            element("td", { class: "number" }, formatCount(one.train)),
                            element("td", null, one.out ? "left out of training" : "")
                        )
                    )
                )
            )
        )
    );
}
