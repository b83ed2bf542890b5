// What every part of the page shares: the state, the line to the server, the clock, the stage, what is selected.

import type { Clock } from "./clock";
import type { Link } from "./link";
import type { EditName, Edits, ModeName, State, Vec3 } from "./protocol";
import type { Knob } from "./viewport/knobs";
import type { Stage } from "./viewport/stage";

export interface Studio {
  readonly state: State;
  readonly link: Link;
  readonly clock: Clock;
  readonly stage: Stage;
  selected: string | null;
  innards: boolean;
  // Draw everything again after something only the page knows has changed.
  refresh(): void;
  select(name: string | null): void;
  // One edit; what goes wrong is told to the person.
  edit<Name extends EditName>(name: Name, values: Edits[Name], drag?: string): void;
  follow<Name extends EditName>(name: Name, values: Edits[Name], drag: string): void;
  say(text: string, kind?: "fault" | "note"): void;
}

// A working mode: what the right panel holds, what a click on the floor means, what can be dragged.
export interface Mode {
  readonly name: ModeName;
  readonly title: string;
  readonly hint: string;
  // Whether the inspector tells what is so at the time shown.
  readonly followsTime?: boolean;
  inspector(studio: Studio): HTMLElement[];
  knobs(studio: Studio): Knob[];
  floorClicked?(studio: Studio, at: Vec3, event: PointerEvent): void;
}
