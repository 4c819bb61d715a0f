/* SPDX-License-Identifier: MIT */
/* Light or dark: as the system says, until the user switches. */

const THEME_KEY = "credence-theme";
const darkSystem = typeof matchMedia === "undefined" ? null : matchMedia("(prefers-color-scheme: dark)");
const themeListeners = new Set();

/* Storage may be forbidden, especially for files. */
function storedTheme() {
    try {
        return localStorage.getItem(THEME_KEY);
    } catch {
        return null;
    }
}

function storeTheme(theme) {
    try {
        localStorage.setItem(THEME_KEY, theme);
    } catch {
        /* the choice is lost when the page is closed */
    }
}

export function currentTheme() {
    return document.documentElement.dataset.theme;
}

/* Calls back whenever the theme changes. */
export function onTheme(listener) {
    themeListeners.add(listener);
}

function setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    const button = document.getElementById("theme-switch");
    button.setAttribute("aria-pressed", String(theme === "dark"));
    button.textContent = theme === "dark" ? "Light" : "Dark";
    button.title = theme === "dark" ? "Switch to light colours" : "Switch to dark colours";
    for (const listener of themeListeners) listener(theme);
}

export function startTheme() {
    const stored = storedTheme();
    const fromSystem = () => (darkSystem.matches ? "dark" : "light");
    setTheme(stored === "dark" || stored === "light" ? stored : fromSystem());
    darkSystem.addEventListener("change", () => {
        if (storedTheme() === null) setTheme(fromSystem());
    });
    document.getElementById("theme-switch").addEventListener("click", () => {
        const theme = currentTheme() === "dark" ? "light" : "dark";
        storeTheme(theme);
        setTheme(theme);
    });
}
