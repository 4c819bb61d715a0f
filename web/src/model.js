/* SPDX-License-Identifier: MIT */
/* A part of the kind "model": what a trained model knows about a graph. */
import { confusionFigure, reliabilityFigure, riskFigure } from "./answer_charts.js";
import { viewsFigure } from "./committee.js";
import { detectionCharts } from "./detection_charts.js";
import { clip, element } from "./dom.js";
import { headlineElement, headlineOf, showFacts } from "./facts.js";
import { showMap } from "./map_section.js";
import { formatCount } from "./numbers.js";
import { makeNodes } from "./points.js";
import { calibrationFigure, classesFigure, promisesFigure } from "./promises.js";
import { trainingFigures } from "./training_charts.js";

/* Large, and not needed at the start. */
export const LAZY_BLOCKS = new Set(["graph", "own", "own_class", "own_logits", "names"]);

function section(root, title, sentence, figures) {
    if (figures.length === 0) return;
    root.append(
        element(
            "section",
            null,
            element("h2", null, title),
            sentence ? element("p", { class: "note" }, sentence) : null,
            element("div", { class: "charts" }, figures)
        )
    );
}

export function showModel(part, root) {
    const { blocks } = part,
        nodes = makeNodes(part),
        curves = blocks.get("curves"),
        history = blocks.get("history");
    const lines = headlineOf(curves, nodes.classes);
    if (lines.length > 0) root.append(headlineElement(lines));
    const map = element("section", null, element("h2", null, "The map"));
    root.append(map);
    showMap(part, nodes, map);
    const facts = blocks.get("facts") ?? {};
    if (facts.unevaluated)
        root.append(element("p", { class: "note" }, `Nothing was measured: ${clip(facts.unevaluated, 300)}`));
    if (curves?.ood)
        section(
            root,
            "Does it notice what it never saw?",
            `Measured on ${formatCount(curves.ood.nodes)} test nodes, of which ` +
                `${formatCount(curves.ood.positives)} are of classes that ` +
                "were left out of training (out of distribution).",
            detectionCharts(curves.ood, "ood")
        );
    if (curves?.errors)
        section(
            root,
            "Does it know when it is wrong?",
            `Measured on ${formatCount(curves.errors.nodes)} test nodes of known classes, of which ` +
                `${formatCount(curves.errors.positives)} ` +
                "are answered wrongly.",
            [
                riskFigure(curves.errors),
                curves.errors.reliability ? reliabilityFigure(curves.errors.reliability) : null,
                ...detectionCharts(curves.errors, "errors")
            ].filter(Boolean)
        );
    const measured = curves?.errors?.evaluation,
        names = nodes.classes.map((one) => one.short);
    section(
        root,
        "Can its numbers be trusted?",
        "",
        [
            measured?.promises ? promisesFigure(measured.promises) : null,
            measured?.calibration ? calibrationFigure(measured, names) : null
        ].filter(Boolean)
    );
    section(
        root,
        "Which classes it knows, and which it confuses",
        "",
        [
            measured?.classes ? classesFigure(measured, names) : null,
            curves?.confusion ? confusionFigure(curves.confusion, nodes.classes) : null
        ].filter(Boolean)
    );
    const views = blocks.get("views");
    section(
        root,
        "How it was trained",
        "",
        [
            ...(history?.epoch?.length > 0
                ? trainingFigures(history, facts.model?.best_epoch, Boolean(views))
                : []),
            views ? viewsFigure(views) : null
        ].filter(Boolean)
    );
    showFacts(facts, nodes.classes, root);
}
