/* SPDX-License-Identifier: MIT */
/* Numbers as people read them. A missing one (null, NaN) is a dash. */

export const NO_NUMBER = "–";

export function isNumber(value) {
    return typeof value === "number" && Number.isFinite(value);
}

/* 1234567 -> "1,234,567" */
export function formatCount(value) {
    return isNumber(value) ? Math.round(value).toLocaleString("en-GB") : NO_NUMBER;
}

/* 0.9941 -> "99.4 %" */
export function formatPercent(value, digits = 1) {
    return isNumber(value) ? (100 * value).toFixed(digits) + "\u202f%" : NO_NUMBER;
}

/* For axes: as many digits as steps of that width need; one digit without a step. */
export function formatShare(value, step = 0.001) {
    return formatPercent(value, step < 0.0099 ? 1 : 0);
}

const SUPERSCRIPTS = {
    "-": "⁻",
    0: "⁰",
    1: "¹",
    2: "²",
    3: "³",
    4: "⁴",
    5: "⁵",
    6: "⁶",
    7: "⁷",
    8: "⁸",
    9: "⁹"
};

function superscript(whole) {
    return Array.from(String(whole), (digit) => SUPERSCRIPTS[digit]).join("");
}

/* Three significant digits; powers of ten if the number is very large or small. */
export function formatNumber(value, digits = 3) {
    if (!isNumber(value)) return NO_NUMBER;
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size < 1e-3 || size >= 1e6) {
        const [mantissa, exponent] = value.toExponential(Math.max(digits - 1, 0)).split("e");
        return mantissa + "\u202f×\u202f10" + superscript(Number(exponent));
    }
    if (size >= 1000) return formatCount(value);
    return String(Number(value.toPrecision(digits))).replace("-", "−");
}

/* The number with the given logarithm (base 10), which may be too large for a JavaScript number. */
export function formatPower(log10, digits = 3) {
    if (log10 === -Infinity) return "0";
    if (!isNumber(log10)) return NO_NUMBER;
    if (Math.abs(log10) < 300) return formatNumber(10 ** log10, digits);
    return "10" + superscript(Math.round(log10));
}

/* For the ticks of an axis with steps of width `step`. */
export function formatTick(value, step) {
    if (value === 0) return "0";
    const size = Math.max(Math.abs(value), Math.abs(step));
    if (size >= 1e6 || size < 1e-4) return formatNumber(value, 2);
    const digits = Math.min(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), 6);
    return value
        .toLocaleString("en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits })
        .replace("-", "−");
}
