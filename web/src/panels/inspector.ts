// The right panel: what is selected, the mode's own controls, and the judge's report, always in view.

import { MODES } from "../modes";
import { button, h, numberField, refill, section } from "../parts/dom";
import type { Check, Thing, Vec3 } from "../protocol";
import type { Studio } from "../studio";

export class Inspector {
  readonly element = h("aside", { class: "inspector", label: "Inspector" });

  private readonly controls = h("div", { class: "controls" });
  // Below them, so that it is in view whatever is being done.
  private readonly judge = h("div", { class: "judge" });

  constructor(private readonly studio: Studio) {
    this.element.append(this.controls, this.judge);
  }

  show(): void {
    const { studio } = this;
    const mode = MODES.find(({ name }) => name === studio.state.mode) ?? MODES[0];
    const thing = studio.state.things.find(({ name }) => name === studio.selected);
    refill(
      this.controls,
      ...(thing ? [this.thing(thing)] : []),
      ...(mode ? mode.inspector(studio) : []),
      section("Show", this.innards()),
    );
    refill(this.judge, this.report());
  }

  private thing({ name, position, rotation }: Thing): HTMLElement {
    const place = (k: number, value: number): void => {
      const to = position.map((old, j) => (j === k ? value : old)) as Vec3;
      this.studio.edit("thing.place", { name, position: to });
    };
    const yaw = (360 / Math.PI) * Math.atan2(rotation[2], rotation[0]);
    return section(
      name,
      ...(["x", "y", "z"] as const).map((axis, k) =>
        numberField(axis, position[k] ?? 0, (value) => place(k, value), { key: `thing ${axis}` }),
      ),
      numberField("turned", yaw, (yaw_deg) => this.studio.edit("thing.place", { name, yaw_deg }), {
        unit: "deg",
        step: 15,
        key: "thing yaw",
      }),
    );
  }

  private report(): HTMLElement {
    const { checks, status, text } = this.studio.state.verdict;
    if (checks.length === 0) {
      const note = status === "failed" ? text : "Nothing has been judged yet.";
      return section("Judge", h("p", { class: status === "failed" ? "fault" : "hint" }, note));
    }
    return section("Judge", h("table", { class: "report" }, h("tbody", {}, ...checks.map(row))));
  }

  private innards(): HTMLElement {
    const box = h("input", { key: "innards" });
    box.type = "checkbox";
    box.checked = this.studio.innards;
    box.addEventListener("change", () => {
      this.studio.innards = box.checked;
      this.studio.refresh();
    });
    const all = button("Frame all", () => this.studio.stage.frame(), { key: "frame", title: "Home" });
    return h("div", {}, h("label", { class: "check" }, box, "how it was found"), h("div", { class: "row" }, all));
  }
}

function row({ name, value, bar, where, ok }: Check): HTMLElement {
  const mark = h("td", { class: ok ? "ok" : "broken", label: ok ? "ok" : "broken" }, ok ? "✓" : "✕");
  const line = h("tr", {}, mark, h("td", {}, name), h("td", { class: "number" }, value));
  line.title = [bar && `allowed: ${bar}`, where].filter(Boolean).join("\n");
  return line;
}
