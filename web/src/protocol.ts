// What the server says and what it understands. Made from the Python types by tools/message_types.py: do not edit.

export type Vec3 = [number, number, number];
export type Floor = [number, number];
export type Quaternion = [number, number, number, number];
export type ModeName = "walk" | "limbs" | "postures" | "interaction" | "tasks";

// A row of the judge's table.
export interface Check {
  name: string;
  value: string;
  bar: string;
  where: string;
  ok: boolean;
}

// The deepest overlap: when, and what is in what.
export interface Worst {
  time_s: number;
  a: string;
  b: string;
}

// What became of the last piece of planning.
export interface Verdict {
  status: "idle" | "planning" | "judging" | "verified" | "rejected" | "failed";
  text: string;
  seconds: number;
  checks: Check[];
  worst: Worst | null;
}

// Frames of a motion: root positions and local rotations, in one asset.
export interface Clip {
  asset: string;
  frames: number;
  fps: number;
  joints: number;
}

// A character. ``joints`` are numbers by humanoid role, or by name where a joint has no role.
export interface Person {
  name: string;
  start_s: number;
  skin: string | null;
  clip: Clip | null;
  ghost: Clip | null;
  joints: Record<string, number>;
}

// Poses of an object at equal intervals: seven numbers each, in one asset.
export interface Keys {
  asset: string;
  keys: number;
  fps: number;
}

// A handle of an object, in the object's frame [m].
export interface Handle {
  name: string;
  at: Vec3;
}

// An object of the scene.
export interface Thing {
  name: string;
  mesh: string;
  color: string;
  position: Vec3;
  rotation: Quaternion;
  track: Keys | null;
  handles: Handle[];
}

// A task of the scene, with what was given for it.
export interface Task {
  do: string;
  character: string;
  name: string;
  at_s: number | null;
  given: Record<string, unknown>;
}

// A stretch of time on a track of the timeline.
export interface Mark {
  track: string;
  kind: "contact" | "collision" | "constraint" | "task" | "planned";
  start_s: number;
  end_s: number;
  text: string;
  icon: "" | "throw" | "catch" | "touch" | "hold";
}

// A curve in the viewport. ``each`` cuts its points into polygons of so many corners.
export interface Line {
  kind: string;
  points: Vec3[];
  closed?: boolean;
  each?: number;
  name?: string;
  start_s?: number;
  end_s?: number;
}

// The job under way; ``share`` of it is done.
export interface Busy {
  title: string;
  share: number;
  stage: string;
}

// Everything the page shows.
export interface State {
  name: string;
  mode: ModeName;
  duration_s: number;
  verdict: Verdict;
  people: Person[];
  things: Thing[];
  tasks: Task[];
  marks: Mark[];
  lines: Line[];
  settings: Record<string, Record<string, unknown>>;
  serial: number;
  undo: string;
  redo: string;
  busy: Busy | null;
}

// What is seen of a drag at one time; the whole state follows when the mouse rests.
export interface Live {
  serial: number;
  time_s: number;
  text: string;
  people: Record<string, number[]>;
  things: Record<string, number[]>;
  lines: Line[];
}

// One message to the page: one of these, or an answer to an edit.
export interface Message {
  state?: State;
  busy?: Busy;
  live?: Live;
  warning?: string;
  answer?: number | null;
  error?: string;
}

// An example on the start screen.
export interface Example {
  name: string;
  title: string;
  about: string;
  mode: ModeName;
}

// A built-in posture.
export interface Posture {
  name: string;
  about: string;
}

// A kind of task, and what the page has to ask for.
export interface KindOfTask {
  do: string;
  about: string;
  takes: string[];
  needs: string[];
}

export interface Edits {
  "undo": Record<string, never>;
  "redo": Record<string, never>;
  "cancel": Record<string, never>;
  "open": { example: string };
  "tasks.add": { character: string; do: string; name?: string; at_s?: number | null; goal?: Floor | null; object?: string; hand?: string | null; target?: Vec3 | string | null; limbs?: string[]; style?: string };
  "tasks.remove": { index: number; by?: number };
  "tasks.move": { index: number; by?: number };
  "tasks.run": { seed?: number };
  "mode": { mode: ModeName };
  "thing.place": { name: string; position?: Vec3 | null; yaw_deg?: number | null };
  "thing.add": { kind?: "box" | "cylinder" | "sphere" | "capsule"; at?: Floor; size?: Vec3 };
  "remove": { name: string };
  "person.add": { at?: Floor; heading_deg?: number };
  "walk.aim": { character: string; start?: Floor | null; heading_deg?: number | null; goal?: Floor | null; goal_heading_deg?: number | null; any_goal_heading?: boolean; via?: Floor[] | null };
  "walk.search": { method: "auto" | "maps" | "channel" | "astar" };
  "walk.crowd": { count?: number; centre?: Floor };
  "walk.together": Record<string, never>;
  "interaction.drag": { ball?: string | null; part?: string | null; time_s: number; to: Vec3; done?: boolean };
  "interaction.hold": { ball?: string | null; part?: string | null; time_s: number };
  "interaction.let_go": { number: number };
  "limbs.check": { character: string };
  "limbs.correct": { character: string; limbs?: string[] | null };
  "limbs.reach": { character: string; hand?: "left" | "right"; target: Vec3 | string; at: number; style?: "any" | "low" | "high" };
  "limbs.restore": { character: string };
  "postures.keys": { keys: string[]; pins?: string[]; falloff?: number; spacetime?: boolean };
  "postures.drag": { key: number; joint: string; at: Vec3 };
  "postures.show": { key: number };
}

export type EditName = keyof Edits;
