// The keyboard, as in Blender where it has a key for it.

import { embedded } from "./embedded";
import { MODES } from "./modes";
import type { Studio } from "./studio";

export function listen(studio: Studio, actions: { exportGlb(): void; openStart(): void }): void {
  document.addEventListener("keydown", (event) => {
    if (embedded && (event.ctrlKey || event.metaKey || /^[1-5xX]$|^Delete$/.test(event.key))) return;
    if (event.target instanceof HTMLInputElement && event.target.type !== "range" && event.target.type !== "checkbox") return;
    if (event.target instanceof HTMLSelectElement || document.querySelector("dialog[open]")) return;
    if (pressed(studio, actions, event)) event.preventDefault();
  });
}

// [rad] to the side and upwards that a key turns the view: the number pad's as in Blender, arrows with Shift.
const TURN = Math.PI / 12;
const TURNS: Record<string, [number, number]> = {
  Numpad4: [-TURN, 0],
  Numpad6: [TURN, 0],
  Numpad8: [0, TURN],
  Numpad2: [0, -TURN],
  "Shift ArrowLeft": [-TURN, 0],
  "Shift ArrowRight": [TURN, 0],
  "Shift ArrowUp": [0, TURN],
  "Shift ArrowDown": [0, -TURN],
};

function pressed(studio: Studio, actions: { exportGlb(): void; openStart(): void }, event: KeyboardEvent): boolean {
  const { clock, stage } = studio;
  const command = event.ctrlKey || event.metaKey;
  const fps = studio.state.people[0]?.clip?.fps ?? 30;
  const key = event.key.toLowerCase();
  const turn = TURNS[event.shiftKey ? `Shift ${event.code}` : event.code];
  if (command && key === "z") studio.edit(event.shiftKey ? "redo" : "undo", {});
  else if (command && key === "y") studio.edit("redo", {});
  else if (command && key === "e") actions.exportGlb();
  else if (command || event.altKey) return false;
  else if (key === " " && !(event.target instanceof HTMLButtonElement)) clock.toggle();
  else if (turn) stage.turn(...turn);
  else if (key === "+" || key === "=") stage.approach(0.85);
  else if (key === "-") stage.approach(1 / 0.85);
  else if (key === "arrowleft") clock.seek(clock.time - 1 / fps);
  else if (key === "arrowright") clock.seek(clock.time + 1 / fps);
  else if (key === "home") stage.frame();
  else if (event.code === "Numpad1") stage.view("front");
  else if (event.code === "Numpad3") stage.view("side");
  else if (event.code === "Numpad7") stage.view("top");
  else if (key === "escape") studio.select(null);
  else if ((key === "delete" || key === "x") && studio.selected) studio.edit("remove", { name: studio.selected });
  else {
    const mode = /^[1-5]$/.test(key) ? MODES[Number(key) - 1] : undefined;
    if (!mode) return false;
    studio.edit("mode", { mode: mode.name });
  }
  return true;
}
