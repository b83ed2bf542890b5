// What the server says and what it understands. The Python side is studio/view.py and studio/edits.py.

export type Vec3 = [number, number, number];
export type Floor = [number, number];
export type ModeName = "walk" | "limbs" | "postures" | "interaction" | "tasks";

export interface Clip {
  asset: string;
  frames: number;
  fps: number;
  joints: number;
}

export interface Person {
  name: string;
  start_s: number;
  skin: string | null;
  clip: Clip | null;
  ghost: Clip | null;
  joints: Record<string, number>;
}

export interface Thing {
  name: string;
  mesh: string;
  color: string;
  position: Vec3;
  rotation: [number, number, number, number];
  track: { asset: string; keys: number; fps: number } | null;
  handles: { name: string; at: Vec3 }[];
}

export interface Mark {
  track: string;
  kind: "contact" | "collision" | "constraint" | "task" | "planned";
  start_s: number;
  end_s: number;
  text: string;
  icon: "" | "throw" | "catch" | "touch" | "hold";
}

export interface Line {
  kind: string;
  points: Vec3[];
  closed?: boolean;
  each?: number;
  name?: string;
  start_s?: number;
  end_s?: number;
}

export interface Task {
  do: string;
  character: string;
  name: string;
  at_s: number | null;
  given: Record<string, unknown>;
}

export interface Check {
  name: string;
  value: string;
  bar: string;
  where: string;
  ok: boolean;
}

export interface Verdict {
  status: "idle" | "planning" | "judging" | "verified" | "rejected" | "failed";
  text: string;
  seconds: number;
  checks: Check[];
  worst: { time_s: number; a: string; b: string } | null;
}

export interface Busy {
  title: string;
  share: number;
  stage: string;
}

// What is seen of a drag at one time; the whole state follows when the mouse rests.
export interface Live {
  serial: number;
  time_s: number;
  text: string;
  // Root position and local rotations wxyz, as in a clip.
  people: Record<string, number[]>;
  things: Record<string, Vec3>;
  lines: Line[];
}

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
  warm: boolean;
}

export interface Example {
  name: string;
  title: string;
  about: string;
  mode: ModeName;
}
