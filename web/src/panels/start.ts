// The start screen: examples to open, and the way to one's own clips.

import { button, h } from "../parts/dom";
import type { Example } from "../protocol";
import type { Studio } from "../studio";

export class StartScreen {
  readonly element = h("dialog", { class: "start", label: "Start" });

  constructor(
    private readonly studio: Studio,
    private readonly actions: { importFile(): void; openTour(): void },
  ) {}

  async open(): Promise<void> {
    const examples = (await (await fetch("examples")).json()) as Example[];
    const cards = examples.map((example) =>
      h(
        "button",
        { class: "card", on: { click: () => this.choose(example) }, attributes: { type: "button" } },
        h("strong", {}, example.title),
        h("span", { class: "tag" }, example.mode),
        h("span", {}, example.about),
      ),
    );
    this.element.replaceChildren(
      h("h1", {}, "Understudy studio"),
      h("p", {}, "Recorded human motion and a scene in; new, verified motion out."),
      h("div", { class: "cards" }, ...cards),
      h(
        "div",
        { class: "row" },
        button("Open your own clip or scene…", () => {
          this.element.close();
          this.actions.importFile();
        }),
        button("One-minute tour", () => {
          this.element.close();
          this.actions.openTour();
        }),
        button("Go on with the present project", () => this.element.close()),
      ),
    );
    if (!this.element.open) this.element.showModal();
  }

  private choose(example: Example): void {
    this.element.close();
    this.studio.select(null);
    this.studio.edit("open", { example: example.name });
    this.studio.edit("mode", { mode: example.mode });
  }
}
