// A minute around the studio: a few notes, each beside what it speaks of.

import { button, h } from "../parts/dom";

interface Stop {
  at: string;
  text: string;
}

const STOPS: readonly Stop[] = [
  { at: ".viewport", text: "This is the stage. Drag to look around, wheel to come closer. In Walk mode a click on the floor sets a goal." },
  { at: ".outliner", text: "Who and what is on the stage. Add a box, then drag it in the viewport: the walk makes way." },
  { at: ".modes", text: "Working modes: walks, limbs, postures, interaction, tasks. Keys 1 to 5." },
  { at: ".inspector", text: "What is selected and what the mode can do. Every number can be typed." },
  { at: ".timeline", text: "Time. Space plays, the marks show contacts, collisions and constraints; click one to go there." },
  { at: ".verdict", text: "The judge. Green: verified. Red: click it to see the worst frame. Nothing counts as solved before it is green." },
];

export class Tour {
  private readonly note = h("div", { class: "tour", attributes: { role: "dialog", "aria-label": "Tour" } });
  private index = 0;

  open(): void {
    this.index = 0;
    document.body.append(this.note);
    this.show();
  }

  private close(): void {
    this.note.remove();
    document.querySelector(".toured")?.classList.remove("toured");
  }

  private show(): void {
    document.querySelector(".toured")?.classList.remove("toured");
    const stop = STOPS[this.index];
    if (!stop) return this.close();
    const place = document.querySelector<HTMLElement>(stop.at);
    place?.classList.add("toured");
    const last = this.index === STOPS.length - 1;
    const next = button(last ? "Done" : "Next", () => {
      this.index += 1;
      this.show();
    });
    this.note.replaceChildren(
      h("p", {}, stop.text),
      h("div", { class: "row" }, h("span", { class: "hint" }, `${this.index + 1} of ${STOPS.length}`), button("Skip", () => this.close()), next),
    );
    next.focus();
    const box = place?.getBoundingClientRect();
    if (!box) return;
    const { offsetWidth: width, offsetHeight: height } = this.note;
    const left = Math.min(Math.max(box.left + box.width / 2 - width / 2, 12), innerWidth - width - 12);
    const below = box.bottom + 12 + height < innerHeight;
    const top = below ? box.bottom + 12 : Math.max(Math.min(box.top, innerHeight) - height - 12, 60);
    this.note.style.left = `${left}px`;
    this.note.style.top = `${top}px`;
  }
}
