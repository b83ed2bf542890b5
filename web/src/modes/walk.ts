import { COLORS } from "../colors";
import { button, choice, h, numberField, section } from "../parts/dom";
import type { Edits, Floor, Person, Vec3 } from "../protocol";
import type { Mode, Studio } from "../studio";
import type { Knob } from "../viewport/knobs";

interface Aim {
  start: Floor;
  heading_deg?: number;
  goal?: Floor;
  goal_heading_deg?: number;
  via: Floor[];
}

export const walk: Mode = {
  name: "walk",
  title: "Walk",
  hint: "Click the floor to set a goal; Shift-click adds a point on the way. Drag the furniture and watch.",
  inspector: (studio) => {
    const person = walker(studio);
    if (!person) return [section("Nobody here", h("p", {}, "Add a person to begin."), addPerson(studio))];
    const aim = aimOf(studio, person.name);
    const set = (change: Partial<Edits["walk.aim"]>): void => studio.edit("walk.aim", { character: person.name, ...change });
    return [
      section("Walker", who(studio, person), addPerson(studio)),
      section("From", ...spot("Start", aim.start, (start) => set({ start })), heading(aim, set)),
      aim.goal
        ? section("To", ...spot("Goal", aim.goal, (goal) => set({ goal })), goalHeading(aim, set))
        : section("To", h("p", { class: "hint" }, "Click the floor, or"), goalAhead(aim, set)),
      section("On the way", ...points(aim, set), aim.goal ? adder(studio) : null),
      section("Crowd", ...crowd(studio)),
      section("Search", search(studio), ...legend(studio)),
    ];
  },
  knobs: (studio) => {
    const person = walker(studio);
    if (!person) return [];
    const aim = aimOf(studio, person.name);
    const knob = (id: string, title: string, at: Floor, color: string, change: (at: Floor) => object): Knob => ({
      id,
      title,
      at: [at[0], 0, at[1]],
      color,
      plane: "floor",
      drag: (place, done, drag) => {
        const values = { character: person.name, ...change([place[0], place[2]]) };
        if (done) studio.edit("walk.aim", values, drag);
        else studio.follow("walk.aim", values, drag);
      },
    });
    const moved = (k: number, at: Floor): Floor[] => aim.via.map((one, j) => (j === k ? at : one));
    return [
      knob("start", "Start", aim.start, COLORS.contact, (start) => ({ start })),
      ...(aim.goal ? [knob("goal", "Goal", aim.goal, COLORS.path, (goal) => ({ goal }))] : []),
      ...aim.via.map((at, k) =>
        knob(`via${k}`, `Point ${k + 1}`, at, COLORS.constraint, (place) => ({ via: moved(k, place) })),
      ),
    ];
  },
  floorClicked: (studio, at: Vec3, event) => {
    const person = walker(studio);
    if (!person) return;
    const place: Floor = [at[0], at[2]];
    const aim = aimOf(studio, person.name);
    if ((event.shiftKey || adding) && aim.goal) studio.edit("walk.aim", { character: person.name, via: [...aim.via, place] });
    else studio.edit("walk.aim", { character: person.name, goal: place });
  },
};

// Whether a click on the floor adds a point on the way, as Shift does; fingers have no Shift.
let adding = false;

function adder(studio: Studio): HTMLElement {
  return button("Add points", () => {
    adding = !adding;
    studio.refresh();
  }, { key: "add points", pressed: adding, title: "While it is on, the floor takes points on the way" });
}

type Method = Edits["walk.search"]["method"];

const METHODS: { value: Method; text: string }[] = [
  { value: "auto", text: "beam: quickest" },
  { value: "maps", text: "motion maps" },
  { value: "channel", text: "A* with the channel" },
  { value: "astar", text: "A* with collision tests" },
];

function search(studio: Studio): HTMLElement {
  const method = String(studio.state.settings["walk"]?.["method"] ?? "auto");
  return choice("Method", method, METHODS, (value) => studio.edit("walk.search", { method: value }));
}

const LEGEND = [
  ["path", "shortest path"],
  ["triangles", "triangulation"],
  ["channel", "channel"],
  ["branches", "branches tried"],
  ["cells", "cells of motion maps"],
] as const;

// What the lines on the floor mean, when they are shown.
function legend(studio: Studio): HTMLElement[] {
  if (!studio.innards) return [];
  return LEGEND.flatMap(([kind, text]) => {
    const found = studio.state.lines.filter((line) => line.kind === kind);
    if (found.length === 0) return [];
    const count = found.reduce((sum, { points, each }) => sum + (each ? points.length / each : 1), 0);
    const dot = h("span", { class: "dot" });
    dot.style.background = COLORS[kind];
    return [h("div", { class: "legend" }, dot, kind === "path" ? text : `${text} (${count})`)];
  });
}

// How many come with the next crowd; kept while the page is open.
let comers = 5;

function crowd(studio: Studio): HTMLElement[] {
  const aims = (studio.state.settings["walk"]?.["aims"] ?? {}) as Record<string, Aim>;
  const ready = studio.state.people.filter(({ name }) => aims[name]?.goal).length;
  const field = { unit: "", step: 1, key: "crowd size" };
  return [
    h(
      "div",
      { class: "row" },
      numberField("people", comers, (count) => (comers = Math.round(Math.min(Math.max(count, 2), 20))), field),
      button("Add a crowd", () => studio.edit("walk.crowd", { count: comers, centre: middle(studio) })),
    ),
    ready > 1
      ? button(`Walk together (${ready})`, () => studio.edit("walk.together", {}))
      : h("p", { class: "hint" }, "Give two people a goal and let them walk at the same time."),
  ];
}

// Where the camera looks, on the floor.
function middle(studio: Studio): Floor {
  const { x, z } = studio.stage.controls.target;
  return [Number(x.toFixed(2)), Number(z.toFixed(2))];
}

// Whoever is selected, else whoever was aimed last, else the first.
function walker(studio: Studio): Person | undefined {
  const { people, settings } = studio.state;
  const named = (name: unknown): Person | undefined => people.find((one) => one.name === name);
  return named(studio.selected) ?? named(settings["walk"]?.["character"]) ?? people[0];
}

function aimOf(studio: Studio, name: string): Aim {
  const aims = (studio.state.settings["walk"]?.["aims"] ?? {}) as Record<string, Aim>;
  const at = studio.stage.joint(name, 0) ?? [0, 0, 0];
  return aims[name] ?? { start: [at[0], at[2]], via: [] };
}

function who(studio: Studio, person: Person): HTMLElement {
  const options = studio.state.people.map(({ name }) => ({ value: name, text: name }));
  return choice("Person", person.name, options, (name) => studio.select(name));
}

function addPerson(studio: Studio): HTMLElement {
  const side = 0.8 * studio.state.people.length;
  return button("Add a person", () => studio.edit("person.add", { at: [side, 0] }));
}

function spot(title: string, at: Floor, change: (at: Floor) => void): HTMLElement[] {
  return [
    numberField("x", at[0], (x) => change([x, at[1]]), { key: `${title} x` }),
    numberField("z", at[1], (z) => change([at[0], z]), { key: `${title} z` }),
  ];
}

function heading(aim: Aim, set: (change: object) => void): HTMLElement {
  const field = { unit: "deg", step: 15, key: "start heading" };
  return numberField("facing", aim.heading_deg ?? 0, (heading_deg) => set({ heading_deg }), field);
}

function goalHeading(aim: Aim, set: (change: object) => void): HTMLElement {
  if (aim.goal_heading_deg === undefined)
    return button("Ask for a facing at the goal", () => set({ goal_heading_deg: 0 }));
  return h(
    "div",
    { class: "row" },
    numberField("facing", aim.goal_heading_deg, (goal_heading_deg) => set({ goal_heading_deg }), {
      unit: "deg",
      step: 15,
      key: "goal heading",
    }),
    button("any", () => set({ any_goal_heading: true }), { label: "Any facing at the goal" }),
  );
}

function goalAhead(aim: Aim, set: (change: object) => void): HTMLElement {
  const goal: Floor = [aim.start[0], aim.start[1] + 3];
  return button("Goal 3 m ahead", () => set({ goal }));
}

function points(aim: Aim, set: (change: object) => void): HTMLElement[] {
  if (aim.via.length === 0) return [h("p", { class: "hint" }, "Shift-click the floor, or press Add points, to lead the walk through a point.")];
  return aim.via.map((at, k) =>
    h(
      "div",
      { class: "row" },
      h("span", {}, `${k + 1}: ${at[0].toFixed(2)}, ${at[1].toFixed(2)} m`),
      button("remove", () => set({ via: aim.via.filter((_, j) => j !== k) }), { label: `Remove point ${k + 1}` }),
    ),
  );
}
