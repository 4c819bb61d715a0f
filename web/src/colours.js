/* SPDX-License-Identifier: MIT */
/* Colours, for the map's pixels and for the style. */

/* Ten colours per theme, chosen so that any two are as far apart as possible (OKLab) for normal sight and for the
 * three kinds of colour blindness, and so that each stands out from the background and from the black, or white, of
 * out-of-distribution nodes; web/test/unit/colours.test.js measures this. Those that differ most come first. style.css
 * has the same ones as --class-0 ... --class-9. */
export const CLASS_COLOURS = {
    light: [
        "#298caf",
        "#f19420",
        "#ad0567",
        "#385100",
        "#bc74ff",
        "#777600",
        "#5b03ff",
        "#fd246f",
        "#4bbfc7",
        "#8000ad"
    ],
    dark: [
        "#09c3ff",
        "#f2b000",
        "#c81402",
        "#8b07ff",
        "#1c705a",
        "#b076a7",
        "#6b8bf9",
        "#a4af9e",
        "#e7751b",
        "#a52bad"
    ]
};

export const THEME_COLOURS = {
    light: { background: "#ffffff", ink: "#000000", unknown: "#b9bec6", right: "#298caf", wrong: "#d1350f" },
    dark: { background: "#14171c", ink: "#ffffff", unknown: "#4d545f", right: "#2f86ad", wrong: "#ff8a3c" }
};

/* The next ten classes have a different shape, and so on. */
export const CLASS_SHAPES = ["circle", "square", "triangle", "diamond", "cross"];

export function parseColour(hex) {
    return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

export function formatColour([red, green, blue]) {
    return "#" + [red, green, blue].map((part) => Math.round(part).toString(16).padStart(2, "0")).join("");
}

/* Colour and shape of a class; after the last shape the same colours come paler. */
export function classLook(index, theme) {
    const colours = CLASS_COLOURS[theme],
        kinds = CLASS_SHAPES.length;
    const colour = parseColour(colours[index % colours.length]);
    const round = Math.floor(index / colours.length),
        paler = Math.min(Math.floor(round / kinds), 3) * 0.25;
    const other = parseColour(THEME_COLOURS[theme].background);
    const mixed = colour.map((part, i) => Math.round(part + paler * (other[i] - part)));
    return {
        colour: mixed,
        css: paler > 0 ? formatColour(mixed) : `var(--class-${index % colours.length})`,
        shape: CLASS_SHAPES[round % kinds]
    };
}

/* Relative luminance as WCAG 2 defines it. */
export function luminance(colour) {
    const [red, green, blue] = colour.map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(one, other) {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
}

/* Perceptually even: lightness changes steadily while the hue goes from violet through green to yellow (after viridis,
 * through nine of its colours). Large values stand out: dark on white, bright on black. The end that would vanish in
 * the background is left out. */
const SEQUENCE = [
    "#440154",
    "#472d7b",
    "#3b528b",
    "#2c728e",
    "#21918c",
    "#28ae80",
    "#5ec962",
    "#addc30",
    "#fde725"
].map(parseColour);

export function sequentialColour(share, theme) {
    const within = Math.min(Math.max(share, 0), 1);
    const place = (theme === "light" ? 0.86 * (1 - within) : 0.24 + 0.76 * within) * (SEQUENCE.length - 1);
    const below = Math.min(Math.floor(place), SEQUENCE.length - 2),
        rest = place - below;
    return SEQUENCE[below].map((part, i) => Math.round(part + rest * (SEQUENCE[below + 1][i] - part)));
}
