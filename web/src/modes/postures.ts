import { COLORS } from "../colors";
import { button, choice, h, numberField, section } from "../parts/dom";
import type { Vec3 } from "../protocol";
import type { Mode, Studio } from "../studio";
import type { Knob } from "../viewport/knobs";

interface Setting {
  keys?: string[];
  pins?: string[];
  falloff?: number;
  spacetime?: boolean;
  editing?: number;
  character?: string;
}

const PINNABLE = ["leftFoot", "rightFoot", "leftHand", "rightHand", "hips", "head"] as const;
const HANDLED = ["hips", "head", "leftHand", "rightHand", "leftFoot", "rightFoot"] as const;

let known: { name: string; about: string }[] = [];

export const postures: Mode = {
  name: "postures",
  title: "Postures",
  hint: "Choose two or more postures; the motion between them touches nothing. Pencil: bend one by its handles.",
  inspector: (studio) => {
    if (known.length === 0) void load(studio);
    const setting = settingOf(studio);
    const keys = setting.keys ?? [];
    return [
      section("Postures in order", ...keys.map((key, k) => row(studio, key, k)), add(studio)),
      section(
        "Held in place",
        h("div", { class: "adders" }, ...PINNABLE.map((joint) => pin(studio, joint))),
        numberField("fall-off", setting.falloff ?? 3, (falloff) => set(studio, { falloff }), {
          unit: "",
          step: 1,
          key: "falloff",
        }),
        gentle(studio),
        button("Plan", () => set(studio, {}), { key: "plan postures", off: keys.length < 2 }),
      ),
      section("All postures", h("div", { class: "thumbs" }, ...known.map((one) => thumb(studio, one)))),
    ];
  },
  knobs: (studio) => {
    const { editing, keys, character } = settingOf(studio);
    const person = studio.state.people.find(({ name }) => name === character);
    if (editing === undefined || !person || editing >= (keys?.length ?? 0) || (person.clip?.frames ?? 2) > 1) return [];
    return HANDLED.flatMap((joint): Knob[] => {
      const index = person.joints[joint];
      const at = index === undefined ? null : studio.stage.joint(person.name, index);
      if (!at) return [];
      const drag = (to: Vec3, done: boolean, name: string): void => {
        const values = { key: editing, joint, at: to };
        if (done) studio.edit("postures.drag", values, name);
        else studio.follow("postures.drag", values, name);
      };
      return [{ id: joint, title: "", at, color: COLORS.constraint, plane: "view", shape: "ball", drag }];
    });
  },
};

async function load(studio: Studio): Promise<void> {
  known = (await (await fetch("postures")).json()) as typeof known;
  studio.refresh();
}

function settingOf(studio: Studio): Setting {
  return (studio.state.settings["postures"] ?? {}) as Setting;
}

function set(studio: Studio, change: Setting): void {
  const { keys = [], pins = [], falloff = 3, spacetime = false } = { ...settingOf(studio), ...change };
  if (keys.length > 0) studio.edit("postures.keys", { keys, pins, falloff, spacetime });
}

function row(studio: Studio, key: string, k: number): HTMLElement {
  const { keys = [], editing } = settingOf(studio);
  const without = keys.filter((_, j) => j !== k);
  return h(
    "div",
    { class: "row" },
    picture(key),
    h("span", { class: "grow" }, `${k + 1}. ${title(key)}`),
    button("✎", () => studio.edit("postures.show", { key: k }), {
      key: `bend ${k}`,
      label: `Look at and bend posture ${k + 1}`,
      pressed: editing === k,
    }),
    button("×", () => set(studio, { keys: without }), {
      class: "quiet",
      key: `drop ${k}`,
      label: `Remove posture ${k + 1}`,
      off: without.length === 0,
    }),
  );
}

function add(studio: Studio): HTMLElement {
  const { keys = [] } = settingOf(studio);
  const entries = [{ value: "", text: "add…" }, ...known.map(({ name }) => ({ value: name, text: title(name) }))];
  return choice("Next", "", entries, (name) => {
    if (name) set(studio, { keys: [...keys, name] });
  });
}

function thumb(studio: Studio, { name, about }: { name: string; about: string }): HTMLElement {
  const { keys = [] } = settingOf(studio);
  const made = button("", () => set(studio, { keys: [...keys, name] }), {
    class: "thumb",
    key: `thumb ${name}`,
    label: `Add ${title(name)}: ${about}`,
    title: about,
  });
  made.append(picture(name), h("span", {}, title(name)));
  return made;
}

function picture(name: string): HTMLElement {
  if (name.startsWith("own:")) return h("span", { class: "portrait" }, "✎");
  const image = h("img", { class: "portrait", attributes: { alt: "", loading: "lazy", src: `posture/${name}.png` } });
  return image;
}

function pin(studio: Studio, joint: string): HTMLElement {
  const { pins = [] } = settingOf(studio);
  const held = pins.includes(joint);
  const next = held ? pins.filter((one) => one !== joint) : [...pins, joint];
  return button(title(joint), () => set(studio, { pins: next }), { key: `pin ${joint}`, pressed: held });
}

function gentle(studio: Studio): HTMLElement {
  const box = h("input", { key: "gentle" });
  box.type = "checkbox";
  box.checked = settingOf(studio).spacetime ?? false;
  box.addEventListener("change", () => set(studio, { spacetime: box.checked }));
  return h("label", { class: "check" }, box, "gentle momentum (slower to plan)");
}

function title(name: string): string {
  return name
    .replace(/^own:/, "my own ")
    .replace(/([A-Z])/g, " $1")
    .replaceAll("_", " ")
    .toLowerCase();
}
