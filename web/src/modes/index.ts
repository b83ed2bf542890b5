import type { Mode } from "../studio";
import { walk } from "./walk";

export const MODES: readonly Mode[] = [walk];
