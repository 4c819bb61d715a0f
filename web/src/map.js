/* SPDX-License-Identifier: MIT */
/* The latent map: a canvas to drag, zoom, point at and click, with mouse, touch and keyboard. */
import { parseColour, CLASS_SHAPES, THEME_COLOURS } from "./colours.js";
import { element } from "./dom.js";
import { makeGrid, nearestPoint } from "./pick.js";
import { lookOfPoints, stepRadii } from "./points.js";
import { drawPoints, pixelOf } from "./raster.js";
import { currentTheme, onTheme } from "./theme.js";
import { fitView, flight, keepView, panView, toMap, toScreen, zoomView } from "./view.js";

const CLICK_DISTANCE = 5,
    QUIET_TIME = 160,
    FLIGHT_TIME = 650,
    KEY_PAN = 60,
    KEY_ZOOM = 1.4,
    BUTTON_ROOM = 40;

function bounds(values) {
    let low = 65535,
        high = 0;
    for (const value of values) {
        if (value < low) low = value;
        if (value > high) high = value;
    }
    return [low, high];
}

/* callbacks: words(i) -> [[name, value], ...] for the tooltip; choose(i) when a node is clicked. */
export function makeMap(nodes, callbacks) {
    const canvas = element("canvas", {
        tabindex: "0",
        role: "application",
        "aria-label": "Map of the nodes",
        "aria-description":
            "Arrow keys move it, plus and minus zoom, 0 shows all, Enter chooses the node nearest the middle."
    });
    const paper = element("canvas", { class: "paper", "aria-hidden": "true" });
    const hoverRing = element("div", { class: "ring hover", hidden: true });
    const chosenRing = element("div", { class: "ring chosen", hidden: true });
    const tooltip = element("div", { class: "tooltip", role: "status", hidden: true });
    const button = (text, name, action) =>
        element("button", { type: "button", "aria-label": name, title: name, onclick: action }, text);
    const box = element(
        "div",
        { class: "map-box" },
        canvas,
        paper,
        hoverRing,
        chosenRing,
        tooltip,
        element(
            "div",
            { class: "map-buttons" },
            button("+", "Zoom in", () => zoomMiddle(1.7)),
            button("−", "Zoom out", () => zoomMiddle(1 / 1.7)),
            button("⤢", "Show all", () => fly(state.home))
        )
    );
    const context = canvas.getContext("2d", { alpha: false });
    const [[lowX, highX], [lowY, highY]] = [bounds(nodes.x), bounds(nodes.y)];
    const state = {
        width: 0,
        height: 0,
        ratio: 1,
        image: null,
        picture: null,
        view: null,
        home: null,
        look: null,
        options: null,
        grid: null,
        hover: -1,
        chosen: -1,
        pending: false,
        movedAt: -Infinity,
        flying: null,
        quiet: 0
    };

    function radii(view, ratio) {
        return stepRadii(
            nodes.count,
            Math.min(state.width, state.height),
            view.scale / state.home.scale,
            ratio
        );
    }

    function paint(target, view, width, height, ratio, theme, look, moving) {
        const image = target.image ?? (target.image = target.context.createImageData(width, height));
        const pixels = target.pixels ?? (target.pixels = new Uint32Array(image.data.buffer));
        const sizes = radii(view, ratio),
            colours = THEME_COLOURS[theme];
        drawPoints({ pixels, width, height }, { ...view, scale: view.scale * ratio }, look.points, {
            shapes: CLASS_SHAPES,
            radii: sizes,
            background: pixelOf(parseColour(colours.background)),
            ink: pixelOf(parseColour(colours.ink)),
            halo: sizes[8] < 2 * ratio ? 0 : 150,
            moving
        });
        target.context.putImageData(image, 0, 0);
    }

    const screen = { context };

    function draw(now) {
        state.pending = false;
        if (!state.look || state.width === 0) return;
        if (state.flying) {
            const share = Math.min(1, (now - state.flying.begun) / FLIGHT_TIME);
            state.view = state.flying.way(Math.max(share, 0));
            state.movedAt = now;
            if (share >= 1) {
                state.view = state.flying.end;
                state.flying = null;
            }
        }
        const moving = now - state.movedAt < QUIET_TIME;
        paint(
            screen,
            state.view,
            canvas.width,
            canvas.height,
            state.ratio,
            currentTheme(),
            state.look,
            moving
        );
        placeRings();
        if (state.flying) redraw();
        else if (moving) {
            clearTimeout(state.quiet);
            state.quiet = setTimeout(redraw, QUIET_TIME + 20);
        }
    }

    function redraw() {
        if (state.pending) return;
        state.pending = true;
        requestAnimationFrame(draw);
    }

    function placeRing(ring, node) {
        ring.hidden = node < 0;
        if (node < 0) return;
        const [left, top] = toScreen(state.view, state.width, state.height, nodes.x[node], nodes.y[node]);
        const radius = radii(state.view, 1)[state.look.step[node]] + 4;
        ring.style.width = ring.style.height = `${2 * radius}px`;
        ring.style.transform = `translate(${left - radius}px, ${top - radius}px)`;
        ring.hidden = left < 0 || top < 0 || left > state.width || top > state.height;
    }

    function placeRings() {
        placeRing(hoverRing, state.hover);
        placeRing(chosenRing, state.chosen);
    }

    function resize() {
        const width = Math.round(box.clientWidth),
            height = Math.round(box.clientHeight);
        if (width === 0 || height === 0) return;
        const ratio = Math.min(window.devicePixelRatio || 1, 2);
        if (width === state.width && height === state.height && ratio === state.ratio) return;
        const wasHome = !state.view || state.view === state.home;
        Object.assign(state, { width, height, ratio });
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
        screen.image = screen.pixels = null;
        const room = width > 500 ? BUTTON_ROOM : 0;
        state.home = fitView({ low: [lowX, lowY], high: [highX, highY] }, width - room, height);
        state.home.x += room / 2 / state.home.scale;
        if (wasHome) state.view = state.home;
        redraw();
    }

    function look(view) {
        state.view = keepView(view);
        state.flying = null;
        state.movedAt = performance.now();
        redraw();
    }

    function zoom(left, top, factor) {
        look(
            zoomView(
                state.view,
                state.width,
                state.height,
                left,
                top,
                factor,
                state.home.scale / 2,
                state.home.scale * 500
            )
        );
    }

    function zoomMiddle(factor) {
        zoom(state.width / 2, state.height / 2, factor);
    }

    function fly(view) {
        if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
            look(view);
            state.view = view;
            return;
        }
        state.flying = { way: flight(state.view, view, state.width), end: view, begun: performance.now() };
        redraw();
    }

    function nodeAt(left, top, reach) {
        state.grid ??= makeGrid(nodes.x, nodes.y);
        const [x, y] = toMap(state.view, state.width, state.height, left, top);
        const { hidden } = state.options;
        return nearestPoint(
            state.grid,
            x,
            y,
            reach / state.view.scale,
            (i) => !hidden.has(state.look.category(i))
        );
    }

    function showHover(node, left, top) {
        if (node !== state.hover) {
            state.hover = node;
            placeRing(hoverRing, node);
            tooltip.replaceChildren(
                ...(node < 0
                    ? []
                    : callbacks
                          .words(node)
                          .map(([what, value]) =>
                              element(
                                  "div",
                                  null,
                                  element("span", { class: "what" }, what),
                                  element("bdi", null, value)
                              )
                          ))
            );
        }
        tooltip.hidden = node < 0;
        if (node < 0) return;
        const wide = tooltip.offsetWidth,
            tall = tooltip.offsetHeight;
        const x = left + 16 + wide > state.width ? Math.max(0, left - 16 - wide) : left + 16;
        const y = Math.min(Math.max(0, top - tall / 2), Math.max(0, state.height - tall));
        tooltip.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
    }

    function place(event) {
        const edge = canvas.getBoundingClientRect();
        return [event.clientX - edge.left, event.clientY - edge.top];
    }

    const fingers = new Map();
    let pressed = null;

    canvas.addEventListener("pointerdown", (event) => {
        canvas.setPointerCapture(event.pointerId);
        fingers.set(event.pointerId, place(event));
        pressed = fingers.size === 1 ? { at: place(event), moved: false } : null;
        showHover(-1);
    });
    canvas.addEventListener("pointermove", (event) => {
        const here = place(event),
            before = fingers.get(event.pointerId);
        if (!before) {
            showHover(nodeAt(...here, 10), ...here);
            return;
        }
        fingers.set(event.pointerId, here);
        if (fingers.size === 1) {
            if (pressed && Math.hypot(here[0] - pressed.at[0], here[1] - pressed.at[1]) > CLICK_DISTANCE)
                pressed.moved = true;
            if (!pressed || pressed.moved)
                look(panView(state.view, here[0] - before[0], here[1] - before[1]));
            return;
        }
        const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
        const distance = (a) => Math.max(Math.hypot(a[0] - other[0], a[1] - other[1]), 1);
        const middle = (a) => [(a[0] + other[0]) / 2, (a[1] + other[1]) / 2];
        const [was, is] = [middle(before), middle(here)];
        look(panView(state.view, is[0] - was[0], is[1] - was[1]));
        zoom(...is, distance(here) / distance(before));
    });
    const release = (event) => {
        const wasClick = event.type === "pointerup" && pressed && !pressed.moved && fingers.size === 1;
        fingers.delete(event.pointerId);
        pressed = null;
        if (!wasClick) return;
        const here = place(event),
            node = nodeAt(...here, event.pointerType === "mouse" ? 10 : 24);
        if (node < 0) return;
        if (event.pointerType !== "mouse") showHover(node, ...here);
        choose(node);
    };
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("pointerleave", (event) => {
        if (event.pointerType === "mouse") showHover(-1);
    });
    canvas.addEventListener(
        "wheel",
        (event) => {
            event.preventDefault();
            const lines = event.deltaMode === 1 ? 18 : event.deltaMode === 2 ? 300 : 1;
            zoom(...place(event), Math.exp(-Math.min(Math.max(event.deltaY * lines, -300), 300) * 0.0022));
        },
        { passive: false }
    );
    canvas.addEventListener("dblclick", (event) => zoom(...place(event), 2));
    canvas.addEventListener("keydown", (event) => {
        const pans = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (pans[event.key])
            look(panView(state.view, pans[event.key][0] * KEY_PAN, pans[event.key][1] * KEY_PAN));
        else if (event.key === "+" || event.key === "=") zoomMiddle(KEY_ZOOM);
        else if (event.key === "-") zoomMiddle(1 / KEY_ZOOM);
        else if (event.key === "0" || event.key === "Home") fly(state.home);
        else if (event.key === "Escape") showHover(-1);
        else if (event.key === "Enter") {
            const node = nodeAt(state.width / 2, state.height / 2, Math.max(state.width, state.height));
            if (node >= 0) choose(node);
        } else return;
        event.preventDefault();
    });

    function choose(node) {
        mark(node);
        callbacks.choose(node);
    }

    function mark(node) {
        state.chosen = node;
        if (state.look && state.view) placeRings();
    }

    /* options: {colouring, apart, byEvidence, hidden: Set of categories} */
    function show(options) {
        state.options = options;
        state.look = lookOfPoints(nodes, options, currentTheme());
        showHover(-1);
        redraw();
        return state.look;
    }

    /* For printing: in light colours, and at once, because a browser does not wait. */
    function drawOnPaper() {
        if (!state.view) return;
        const ratio = 2;
        paper.width = state.width * ratio;
        paper.height = state.height * ratio;
        paint(
            { context: paper.getContext("2d") },
            state.view,
            paper.width,
            paper.height,
            ratio,
            "light",
            lookOfPoints(nodes, state.options, "light"),
            false
        );
    }

    window.addEventListener("beforeprint", drawOnPaper);
    onTheme(() => state.options && show(state.options));
    new ResizeObserver(resize).observe(box);

    return {
        box,
        show,
        mark,
        /* Flies to a node, close enough to tell it from others, and marks it. */
        goTo(node) {
            mark(node);
            fly({
                x: nodes.x[node],
                y: nodes.y[node],
                scale: Math.max(state.view.scale, 4 * state.home.scale)
            });
        }
    };
}
