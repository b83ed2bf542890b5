// The left panel: who and what is on the stage.

import { personColor } from "../colors";
import { button, h, refill } from "../parts/dom";
import type { Studio } from "../studio";

const SHAPES = ["box", "cylinder", "sphere", "capsule"] as const;

export class Outliner {
  readonly element = h("nav", { class: "outliner", label: "Outliner" });

  constructor(private readonly studio: Studio) {}

  show(): void {
    const { people, things } = this.studio.state;
    refill(
      this.element,
      h("h2", {}, "People"),
      ...people.map(({ name }, index) => this.row(name, personColor(index))),
      people.length === 0 && h("p", { class: "hint" }, "Nobody yet. Drop a BVH or GLB here, or add a person."),
      button("+ person", () => this.studio.edit("person.add", { at: [0.8 * people.length, 0] }), { key: "add person" }),
      h("h2", {}, "Things"),
      ...things.map(({ name, color }) => this.row(name, color)),
      things.length === 0 && h("p", { class: "hint" }, "The floor is empty."),
      h(
        "div",
        { class: "adders" },
        ...SHAPES.map((kind) =>
          button(`+ ${kind}`, () => this.studio.edit("thing.add", { kind, at: this.freeSpot() }), { key: `add ${kind}` }),
        ),
      ),
    );
  }

  private row(name: string, color: string): HTMLElement {
    const chosen = this.studio.selected === name;
    const dot = h("span", { class: "dot" });
    dot.style.background = color;
    const pick = button(name, () => this.studio.select(chosen ? null : name), { key: `pick ${name}`, pressed: chosen });
    pick.prepend(dot);
    const remove = button("×", () => this.studio.edit("remove", { name }), {
      class: "quiet",
      key: `remove ${name}`,
      label: `Remove ${name}`,
    });
    return h("div", { class: "row" }, pick, remove);
  }

  // Beside what the camera looks at, where nothing was put the last time.
  private freeSpot(): [number, number] {
    const { x, z } = this.studio.stage.controls.target;
    const shift = 0.7 * (this.studio.state.things.length % 5);
    return [Number((x + 0.8 + shift).toFixed(2)), Number((z + 0.4).toFixed(2))];
  }
}
