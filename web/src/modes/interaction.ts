import { COLORS } from "../colors";
import { button, h, numberField, section } from "../parts/dom";
import type { Vec3 } from "../protocol";
import type { Mode, Studio } from "../studio";
import type { Knob } from "../viewport/knobs";

export const interaction: Mode = {
  name: "interaction",
  title: "Interaction",
  followsTime: true,
  hint: "Drag a ball or a hand at the time shown; throws, catches and bodies follow.",
  inspector: (studio) => {
    const balls = flying(studio);
    if (balls.length === 0)
      return [section("Nothing in flight", h("p", {}, "Open Juggling or Keeping a ball up from the start screen."))];
    return [
      section("At this time", h("p", { class: "hint" }, `${studio.clock.time.toFixed(2)} s`), ...grips(studio).map((one) => row(studio, one))),
      ...holds(studio),
      section(
        "Flights",
        ...studio.state.lines.filter(({ kind }) => kind === "flight").map((line) =>
          button(`${line.name ?? ""}: ${(line.start_s ?? 0).toFixed(2)} to ${(line.end_s ?? 0).toFixed(2)} s`, () => {
            studio.clock.pause();
            studio.clock.seek(((line.start_s ?? 0) + (line.end_s ?? 0)) / 2);
          }, { class: "entry" }),
        ),
      ),
    ];
  },
  knobs: (studio) =>
    studio.clock.playing
      ? []
      : grips(studio).map(
          (grip): Knob => ({
            id: grip.name,
            title: grip.ball ? grip.name : "",
            at: grip.at,
            color: grip.ball ? COLORS.flight : COLORS.constraint,
            plane: "view",
            shape: "ball",
            drag: (to, done, drag) => ask(studio, grip, to, done, drag),
          }),
        ),
};

// What stays where it is, whatever is dragged.
function holds(studio: Studio): HTMLElement[] {
  const held = (studio.state.settings["interaction"]?.["holds"] ?? []) as { name: string; time_s: number }[];
  if (held.length === 0) return [];
  const rows = held.map(({ name, time_s }, number) =>
    h(
      "div",
      { class: "row" },
      button(`◆ ${name}, ${time_s.toFixed(2)} s`, () => studio.clock.seek(time_s), { class: "grow", key: `held ${number}` }),
      button("×", () => studio.edit("interaction.let_go", { number }), {
        class: "quiet",
        key: `let go ${number}`,
        label: `Let go of ${name} at ${time_s.toFixed(2)} s`,
      }),
    ),
  );
  return [section("Held", ...rows)];
}

interface Grip {
  name: string;
  ball: boolean;
  at: Vec3;
}

function flying(studio: Studio): string[] {
  return [...new Set(studio.state.lines.filter(({ kind }) => kind === "flight").map(({ name }) => name ?? ""))];
}

// Balls and hands, where they are now.
function grips(studio: Studio): Grip[] {
  const balls = flying(studio).flatMap((name): Grip[] => {
    const at = studio.stage.thing(name);
    return at ? [{ name, ball: true, at }] : [];
  });
  const parts = (studio.state.settings["interaction"]?.["parts"] ?? []) as string[];
  const hands = parts.flatMap((part): Grip[] => {
    const [who = "", which = ""] = part.split(".");
    const person = studio.state.people.find(({ name }) => name === who);
    const index = person?.joints[which === "left_hand" ? "leftHand" : "rightHand"];
    const at = index === undefined ? null : studio.stage.joint(who, index);
    return at ? [{ name: part, ball: false, at }] : [];
  });
  return [...balls, ...hands];
}

function which({ ball, name }: Grip): object {
  return ball ? { ball: name } : { part: name };
}

function ask(studio: Studio, grip: Grip, to: Vec3, done: boolean, drag: string): void {
  const values = { ...which(grip), to, time_s: studio.clock.time, done };
  if (done) studio.edit("interaction.drag", values, drag);
  else studio.follow("interaction.drag", values, drag);
}

function row(studio: Studio, grip: Grip): HTMLElement {
  const move = (k: number, value: number): void => {
    const to = grip.at.map((old, j) => (j === k ? value : old)) as Vec3;
    ask(studio, grip, to, true, "");
  };
  return h(
    "div",
    {},
    h(
      "div",
      { class: "row" },
      h("strong", { class: "grow" }, grip.name),
      button("Hold here", () => studio.edit("interaction.hold", { ...which(grip), time_s: studio.clock.time }), {
        key: `hold ${grip.name}`,
        label: `Hold ${grip.name} here`,
        title: "Keep it where it is at this time, whatever is dragged",
      }),
    ),
    ...(["x", "y", "z"] as const).map((axis, k) =>
      numberField(axis, grip.at[k] ?? 0, (value) => move(k, value), { key: `${grip.name} ${axis}`, step: 0.05 }),
    ),
  );
}
