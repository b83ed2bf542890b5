import { button, choice, h, numberField, section } from "../parts/dom";
import type { Edits, KindOfTask, Task, Vec3 } from "../protocol";
import type { Mode, Studio } from "../studio";

interface Done {
  status: string;
  reason: string;
}

// The task being put together; only the page knows it until it is added.
const draft: { do: string; character: string; object: string; hand: string; goal: [number, number]; target: Vec3; to: string } = {
  do: "walk_to",
  character: "",
  object: "",
  hand: "",
  goal: [0, 3],
  target: [0, 1, 1],
  to: "",
};
let kinds: KindOfTask[] = [];

export const tasks: Mode = {
  name: "tasks",
  title: "Tasks",
  hint: "Put together what people are to do, then press Run. A click on the floor sets the place of the next task.",
  inspector: (studio) => {
    if (kinds.length === 0) void load(studio);
    const { tasks: list } = studio.state;
    const done = (studio.state.settings["tasks"]?.["done"] ?? []) as Done[];
    return [
      section(
        "To do",
        ...list.map((task, k) => row(studio, task, k, done[k])),
        list.length === 0 && h("p", { class: "hint" }, "Nothing yet. Add a task below."),
        button("Run", () => studio.edit("tasks.run", {}), { key: "run", class: "main", off: list.length === 0 }),
      ),
      section("Next task", ...form(studio)),
    ];
  },
  knobs: () => [],
  floorClicked: (studio, at) => {
    draft.goal = [round(at[0]), round(at[2])];
    draft.target = [round(at[0]), draft.target[1], round(at[2])];
    studio.refresh();
  },
};

async function load(studio: Studio): Promise<void> {
  kinds = (await (await fetch("tasks")).json()) as KindOfTask[];
  studio.refresh();
}

function row(studio: Studio, task: Task, k: number, done: Done | undefined): HTMLElement {
  const what = Object.entries(task.given)
    .map(([name, value]) => (name === "object" ? String(value) : `${name} ${String(value)}`))
    .join(", ");
  const mark = done === undefined ? "·" : done.status === "solved" ? "✓" : "✕";
  const state = done === undefined ? "not run" : done.status;
  return h(
    "div",
    { class: "task" },
    h(
      "div",
      { class: "row" },
      h("span", { class: done?.status === "solved" ? "ok" : done ? "broken" : "hint", label: state }, mark),
      h("span", { class: "grow" }, `${task.character}: ${task.do.replaceAll("_", " ")} ${what}`),
      button("↑", () => studio.edit("tasks.move", { index: k, by: -1 }), {
        class: "quiet",
        key: `up ${k}`,
        label: `Task ${k + 1} earlier`,
        off: k === 0,
      }),
      button("×", () => studio.edit("tasks.remove", { index: k }), {
        class: "quiet",
        key: `untask ${k}`,
        label: `Remove task ${k + 1}`,
      }),
    ),
    done?.reason ? h("p", { class: "fault" }, done.reason) : null,
  );
}

function form(studio: Studio): HTMLElement[] {
  const { people, things } = studio.state;
  const kind = kinds.find((one) => one.do === draft.do);
  const takes = new Set(kind?.takes ?? []);
  draft.character = people.some(({ name }) => name === draft.character) ? draft.character : (people[0]?.name ?? "");
  const set = (change: Partial<typeof draft>): void => {
    Object.assign(draft, change);
    studio.refresh();
  };
  const objects = [{ value: "", text: "…" }, ...options(things.map(({ name }) => name))];
  const byGoal = takes.has("goal") && draft.object === "";
  const byPlace = takes.has("target") && draft.to === "";
  return [
    choice("Who", draft.character, options(people.map(({ name }) => name)), (character) => set({ character })),
    choice("Does", draft.do, kinds.map((one) => ({ value: one.do, text: one.do.replaceAll("_", " ") })), (verb) => set({ do: verb })),
    h("p", { class: "hint" }, kind?.about ?? ""),
    takes.has("object") && choice("Thing", draft.object, objects, (object) => set({ object })),
    takes.has("hand") &&
      choice("Hand", draft.hand, [{ value: "", text: "either" }, ...options(["left", "right"])], (hand) => set({ hand })),
    ...(byGoal
      ? (["x", "z"] as const).map((axis, k) =>
          numberField(axis, draft.goal[k] ?? 0, (value) => set({ goal: replaced(draft.goal, k, value) }), { key: `goal ${axis}` }),
        )
      : []),
    takes.has("target") && choice("To", draft.to, [{ value: "", text: "a place" }, ...options(things.map(({ name }) => name))], (to) => set({ to })),
    ...(byPlace
      ? (["x", "y", "z"] as const).map((axis, k) =>
          numberField(axis, draft.target[k] ?? 0, (value) => set({ target: replaced(draft.target, k, value) }), { key: `target ${axis}` }),
        )
      : []),
    button("Add task", () => studio.edit("tasks.add", wanted(takes)), { key: "add task", off: !draft.character }),
  ].filter((one): one is HTMLElement => one instanceof HTMLElement);
}

function wanted(takes: Set<string>): Edits["tasks.add"] {
  const { character, object, hand, goal, target, to } = draft;
  const needsPlace = takes.has("target") && !(takes.has("object") && object !== "" && ["touch", "reach"].includes(draft.do));
  return {
    character,
    do: draft.do,
    ...(takes.has("object") && object ? { object } : {}),
    ...(takes.has("hand") && hand ? { hand } : {}),
    ...(takes.has("goal") && !object ? { goal } : {}),
    ...(needsPlace ? { target: to || target } : {}),
  };
}

function replaced<T extends number[]>(values: T, k: number, value: number): T {
  return values.map((old, j) => (j === k ? value : old)) as T;
}

function options(names: readonly string[]): { value: string; text: string }[] {
  return names.map((name) => ({ value: name, text: name }));
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
