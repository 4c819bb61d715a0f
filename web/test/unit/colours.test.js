/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { CLASS_COLOURS, CLASS_SHAPES, THEME_COLOURS } from "../../src/colours.js";
import {
    classLook,
    contrast,
    formatColour,
    luminance,
    parseColour,
    sequentialColour
} from "../../src/colours.js";

const THEMES = ["light", "dark"];

/* What the eye lacks, in linear light: Machado, Oliveira and Fernandes, 2009, severity 1. */
const SIGHTS = {
    normal: [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1]
    ],
    protanopia: [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998]
    ],
    deuteranopia: [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.01182, 0.04294, 0.968881]
    ],
    tritanopia: [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.3039]
    ]
};

function seen(colour, sight) {
    const light = colour.map((part) =>
        part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4
    );
    return SIGHTS[sight].map((row) =>
        Math.min(
            1,
            Math.max(
                0,
                row.reduce((sum, weight, i) => sum + weight * light[i], 0)
            )
        )
    );
}

function okLab([red, green, blue]) {
    const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
    const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
    const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
    return [
        0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
    ];
}

function apart(one, other, sight) {
    const [a, b] = [okLab(seen(one, sight)), okLab(seen(other, sight))];
    return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/* Okabe and Ito's seven colours reach 0.075; ours are ten. */
test("any two classes' colours are told apart with every kind of sight", () => {
    for (const theme of THEMES)
        for (const sight of Object.keys(SIGHTS)) {
            const colours = [...CLASS_COLOURS[theme], THEME_COLOURS[theme].ink].map(parseColour);
            for (let i = 0; i < colours.length; i++)
                for (let j = 0; j < i; j++) {
                    const distance = apart(colours[i], colours[j], sight);
                    assert.ok(
                        distance > 0.1,
                        `${theme}, ${sight}: ${i} and ${j} are ${distance.toFixed(3)} apart`
                    );
                }
            const { right, wrong } = THEME_COLOURS[theme];
            assert.ok(
                apart(parseColour(right), parseColour(wrong), sight) > 0.1,
                `${theme}, ${sight}: right and wrong`
            );
        }
});

test("colours stand out from the background", () => {
    for (const theme of THEMES) {
        const background = parseColour(THEME_COLOURS[theme].background);
        for (const colour of CLASS_COLOURS[theme])
            assert.ok(contrast(parseColour(colour), background) >= 2, colour);
        assert.ok(contrast(parseColour(THEME_COLOURS[theme].ink), background) >= 15);
        for (const share of [0, 0.5, 1])
            assert.ok(contrast(sequentialColour(share, theme), background) >= 1.5);
    }
    assert.equal(contrast([0, 0, 0], [255, 255, 255]), 21);
});

/* Every theme's block of style.css. */
function variables(theme) {
    const style = readFileSync(new URL("../../src/style.css", import.meta.url), "utf8");
    const begin = style.indexOf(theme === "light" ? ":root {" : ':root[data-theme="dark"] {');
    const found = {};
    for (const [, name, value] of style
        .slice(begin, style.indexOf("}", begin))
        .matchAll(/--([a-z0-9-]+): (#[0-9a-f]{6})/g))
        found[name] = value;
    return found;
}

test("the style has the same colours as the map, and texts can be read", () => {
    for (const theme of THEMES) {
        const style = variables(theme);
        CLASS_COLOURS[theme].forEach((colour, i) => assert.equal(style[`class-${i}`], colour));
        const { background, right, wrong, unknown, ink } = THEME_COLOURS[theme];
        assert.deepEqual(
            [style.background, style.right, style.wrong, style.unknown, style.out],
            [background, right, wrong, unknown, ink]
        );
        for (const text of ["ink", "muted", "accent", "alert"])
            for (const behind of ["background", "panel", "sunken"]) {
                const ratio = contrast(parseColour(style[text]), parseColour(style[behind]));
                assert.ok(ratio >= 4.5, `${theme}: ${text} on ${behind} has ${ratio.toFixed(2)}`);
            }
    }
});

test("uncertainty's colours get steadily darker on white and brighter on black", () => {
    for (const theme of THEMES) {
        let before = luminance(sequentialColour(0, theme));
        for (let i = 1; i <= 50; i++) {
            const now = luminance(sequentialColour(i / 50, theme));
            assert.ok(theme === "light" ? now < before : now > before, `${theme} at ${i / 50}`);
            before = now;
        }
    }
});

test("forty-seven classes all look different", () => {
    for (const theme of THEMES) {
        const looks = Array.from({ length: 47 }, (_, k) => classLook(k, theme)).map(
            ({ colour, shape }) => colour + shape
        );
        assert.equal(new Set(looks).size, 47);
    }
    assert.deepEqual(classLook(13, "light").shape, CLASS_SHAPES[1]);
    assert.equal(formatColour(parseColour("#0a1b2c")), "#0a1b2c");
});
