// One colour for each thing there is to tell apart, the same in the viewport, on the timeline and in the report.

export const COLORS = {
  planned: "#4aa3ff",
  source: "#8d95a5",
  collision: "#f0524f",
  constraint: "#f5a623",
  contact: "#46c08a",
  task: "#a58bff",
  path: "#ff7a59",
  channel: "#f5a623",
  triangles: "#7b8494",
  branches: "#4aa3ff",
  cells: "#35c3c1",
  flight: "#f5a623",
} as const;

export const PEOPLE = ["#d9a07c", "#7ca6d9", "#9fca86", "#c48ad1", "#d9c47c", "#7cc9c4"] as const;

export function personColor(index: number): string {
  return PEOPLE[index % PEOPLE.length] ?? PEOPLE[0];
}

export function lineColor(kind: string): string {
  return (COLORS as Record<string, string>)[kind] ?? COLORS.source;
}
