// The bar on top: modes, undo and redo, files, and the result chip.

import { MODES } from "../modes";
import { button, h, refill } from "../parts/dom";
import type { Verdict } from "../protocol";
import type { Studio } from "../studio";

export const EXPORTS = [
  ["glb", "GLB: everything, for Blender, Unreal, the web"],
  ["bvh", "BVH: the motion"],
  ["usd", "USD: everything"],
  ["toml", "Scene file"],
  ["png", "Picture"],
  ["html", "Web player"],
  ["mp4", "Video"],
] as const;

export interface TopActions {
  openStart(): void;
  openTour(): void;
  importFile(): void;
  exportAs(kind: string): void;
  switchTheme(): void;
}

export class Top {
  readonly element = h("header", { class: "top" });
  private menu = false;

  constructor(
    private readonly studio: Studio,
    private readonly actions: TopActions,
  ) {
    this.element.addEventListener("keydown", (event) => {
      if (!this.menu || event.key !== "Escape") return;
      event.stopPropagation();
      this.toggleMenu();
      this.element.querySelector<HTMLElement>('[data-key="export"]')?.focus();
    });
    document.addEventListener("pointerdown", (event) => {
      if (this.menu && event.target instanceof Node && !this.element.contains(event.target)) this.toggleMenu();
    });
  }

  show(): void {
    const { state } = this.studio;
    refill(
      this.element,
      button("Understudy", this.actions.openStart, { class: "brand", key: "start", title: "Examples and new projects" }),
      this.modes(),
      button("↶", () => this.studio.edit("undo", {}), {
        key: "undo",
        label: state.undo ? `Undo: ${state.undo}` : "Undo",
        title: state.undo ? `Undo: ${state.undo} (Ctrl Z)` : "Nothing to undo",
        off: !state.undo,
      }),
      button("↷", () => this.studio.edit("redo", {}), {
        key: "redo",
        label: state.redo ? `Redo: ${state.redo}` : "Redo",
        title: state.redo ? `Redo: ${state.redo} (Ctrl Shift Z)` : "Nothing to redo",
        off: !state.redo,
      }),
      button("Import", this.actions.importFile, { key: "import", title: "BVH, GLB or a scene; or drop it on the page" }),
      this.exports(),
      h("span", { class: "space" }),
      button("Tour", this.actions.openTour, { key: "tour", title: "One minute around the studio" }),
      button("◐", this.actions.switchTheme, { key: "theme", label: "Dark or light" }),
      this.chip(state.verdict),
    );
  }

  private modes(): HTMLElement {
    const tabs = MODES.map((mode, index) =>
      button(mode.title, () => this.studio.edit("mode", { mode: mode.name }), {
        key: `mode ${mode.name}`,
        title: `${mode.title} (${index + 1})`,
        attributes: { role: "tab", "aria-selected": String(mode.name === this.studio.state.mode) },
      }),
    );
    return h("div", { class: "modes", label: "Working mode", attributes: { role: "tablist" } }, ...tabs);
  }

  private exports(): HTMLElement {
    const open = button("Export ▾", () => this.toggleMenu(), {
      key: "export",
      attributes: { "aria-expanded": String(this.menu), "aria-haspopup": "true" },
    });
    if (!this.menu) return h("div", { class: "menu" }, open);
    const entries = EXPORTS.map(([kind, text]) =>
      button(text, () => {
        this.toggleMenu();
        this.actions.exportAs(kind);
      }, { key: `export ${kind}` }),
    );
    return h("div", { class: "menu" }, open, h("div", { class: "entries" }, ...entries));
  }

  private toggleMenu(): void {
    this.menu = !this.menu;
    this.show();
  }

  // Green, amber or red, with the judge's one line; a click looks at the worst frame.
  private chip(verdict: Verdict): HTMLElement {
    const { busy } = this.studio.state;
    const waiting = verdict.status === "planning" || verdict.status === "judging";
    const share = busy && busy.share > 0 ? ` ${Math.round(100 * busy.share)} %` : "";
    const took = verdict.seconds > 0 ? ` · ${(1000 * verdict.seconds).toFixed(0)} ms` : "";
    const stage = waiting && busy?.stage ? ` (${busy.stage})` : "";
    const text = verdict.text || "ready";
    const chip = button(`${waiting ? "◌" : verdict.status === "verified" ? "✓" : verdict.status === "idle" ? "·" : "✕"} ${text}${share}${stage}${took}`, () => this.jump(verdict), {
      class: `chip ${verdict.status}`,
      key: "chip",
      title: verdict.worst ? "Look at the worst frame" : "The judge's word on the present motion",
    });
    chip.setAttribute("aria-live", "polite");
    const cancel = busy ? button("Cancel", () => this.studio.edit("cancel", {}), { key: "cancel" }) : null;
    return h("div", { class: "verdict" }, chip, cancel);
  }

  private jump(verdict: Verdict): void {
    if (!verdict.worst) return;
    this.studio.clock.pause();
    this.studio.clock.seek(verdict.worst.time_s);
  }
}
