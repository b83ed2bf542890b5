import type { Mode } from "../studio";
import { interaction } from "./interaction";
import { limbs } from "./limbs";
import { postures } from "./postures";
import { tasks } from "./tasks";
import { walk } from "./walk";

export const MODES: readonly Mode[] = [walk, limbs, postures, interaction, tasks];
