import { COLORS } from "../colors";
import { button, choice, h, numberField, section } from "../parts/dom";
import type { Edits, Person, Vec3 } from "../protocol";
import type { Mode, Studio } from "../studio";
import type { Knob } from "../viewport/knobs";

type Reach = Required<Omit<Edits["limbs.reach"], "character">>;

// What the next drag of the hand asks for; only the page knows it until then.
const wanted: Pick<Reach, "hand" | "style"> = { hand: "right", style: "any" };

export const limbs: Mode = {
  name: "limbs",
  title: "Limbs",
  hint: "Red on the timeline is where the clip touches something. Drag the hand's knob to where it should be at this time.",
  inspector: (studio) => {
    const person = whose(studio);
    if (!person) return [section("Nobody here", h("p", {}, "Drop a clip (BVH, GLB) on the page, or open an example."))];
    const reach = reachOf(studio);
    return [
      section(
        "Collisions",
        who(studio, person),
        h(
          "div",
          { class: "row" },
          button("Find", () => studio.edit("limbs.check", { character: person.name }), { key: "find" }),
          button("Correct all", () => studio.edit("limbs.correct", { character: person.name }), { key: "correct" }),
          button("Restore clip", () => studio.edit("limbs.restore", { character: person.name }), {
            key: "restore",
            off: !person.ghost,
          }),
        ),
        ...collisions(studio, person),
      ),
      section(
        "Reach",
        choice("Hand", wanted.hand, options(["left", "right"]), (hand) => {
          wanted.hand = hand as "left" | "right";
          studio.refresh();
        }),
        choice("Style", wanted.style, [
          { value: "any", text: "as it comes" },
          { value: "low", text: "arm low" },
          { value: "high", text: "arm high" },
        ], (style) => {
          wanted.style = style;
          if (reach) ask(studio, person, reach.target, reach.at);
        }),
        toThing(studio, person),
        ...(reach && typeof reach.target !== "string" ? place(studio, person, reach.target, reach.at) : []),
        h("p", { class: "hint" }, "The knob at the hand sets a target at the time shown."),
      ),
    ];
  },
  knobs: (studio) => {
    const person = whose(studio);
    if (!person) return [];
    const reach = reachOf(studio);
    const near = reach && Math.abs(reach.at - studio.clock.time) < 0.02 && typeof reach.target !== "string";
    const at = near ? (reach.target as Vec3) : palm(studio, person);
    if (!at) return [];
    const knob: Knob = {
      id: "hand",
      title: `${wanted.hand} hand`,
      at,
      color: COLORS.constraint,
      plane: "view",
      shape: "ball",
      drag: (to, done) => {
        if (done) ask(studio, person, to, studio.clock.time);
      },
    };
    return [knob];
  },
};

function ask(studio: Studio, person: Person, target: Vec3 | string, at: number): void {
  studio.clock.pause();
  const { hand, style } = wanted;
  studio.edit("limbs.reach", { character: person.name, hand, target, at, style });
}

function whose(studio: Studio): Person | undefined {
  const { people, settings } = studio.state;
  const named = (name: unknown): Person | undefined => people.find((one) => one.name === name);
  return named(studio.selected) ?? named(settings["limbs"]?.["character"]) ?? people[0];
}

function reachOf(studio: Studio): Reach | undefined {
  return studio.state.settings["limbs"]?.["reach"] as Reach | undefined;
}

function palm(studio: Studio, person: Person): Vec3 | null {
  const joint = person.joints[`${wanted.hand}Hand`];
  return joint === undefined ? null : studio.stage.joint(person.name, joint);
}

function who(studio: Studio, person: Person): HTMLElement {
  const names = studio.state.people.map(({ name }) => name);
  return choice("Person", person.name, options(names), (name) => studio.select(name));
}

function toThing(studio: Studio, person: Person): HTMLElement {
  const names = studio.state.things.flatMap(({ name, handles }) => [name, ...handles.map((one) => `${name}.${one.name}`)]);
  const entries = [{ value: "", text: "…" }, ...options(names)];
  return choice("To a thing", "", entries, (name) => {
    if (name) ask(studio, person, name, studio.clock.time);
  });
}

function place(studio: Studio, person: Person, target: Vec3, at: number): HTMLElement[] {
  const moved = (k: number, value: number): Vec3 => target.map((old, j) => (j === k ? value : old)) as Vec3;
  const axes = (["x", "y", "z"] as const).map((axis, k) =>
    numberField(axis, target[k] ?? 0, (value) => ask(studio, person, moved(k, value), at), { key: `reach ${axis}` }),
  );
  const time = numberField("at", at, (value) => ask(studio, person, target, value), { unit: "s", key: "reach at" });
  return [...axes, time];
}

function collisions(studio: Studio, person: Person): HTMLElement[] {
  const found = studio.state.marks.filter(
    ({ kind, track }) => kind === "collision" && track.split(".")[0] === person.name,
  );
  return found.slice(0, 8).map((mark) =>
    button(`${mark.start_s.toFixed(2)} s: ${mark.text}`, () => {
      studio.clock.pause();
      studio.clock.seek((mark.start_s + mark.end_s) / 2);
    }, { class: "entry fault" }),
  );
}

function options(names: readonly string[]): { value: string; text: string }[] {
  return names.map((name) => ({ value: name, text: name }));
}
