import type { Failed, Figure, Goal } from "./figure.ts";

/** The figures as a table for a terminal, and for a file in Markdown. */
export function tableOf(figures: (Figure | Failed)[]): string {
  const head = ["figure", "measured", "beside", "measured", "ratio", "(rounds)", "goal", "met"];
  const rows = figures.map((figure) => ("failure" in figure ? [figure.name, figure.failure] : rowOf(figure)));
  const whole = rows.filter((row) => row.length === head.length);
  const widths = head.map((title, column) => Math.max(...[head, ...whole].map((row) => (row[column] ?? title).length)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

function rowOf({ name, value, unit, baseline, ratio, ratios, goal, met }: Figure) {
  const range = ratios.length > 1 ? `${short(Math.min(...ratios))}–${short(Math.max(...ratios))}` : "";
  const verdict = met === null ? "" : met ? "yes" : "NO";
  const beside = `${long(baseline.value)} ${baseline.unit}`;
  return [
    name,
    `${long(value)} ${unit}`,
    baseline.name,
    beside,
    short(ratio),
    range,
    goal ? goalText(goal) : "",
    verdict,
  ];
}

function goalText(goal: Goal) {
  if ("mostValue" in goal) return `measured ≤ ${short(goal.mostValue)}`;
  return "least" in goal ? `≥ ${short(goal.least)}` : `≤ ${short(goal.most)}`;
}

function long(value: number) {
  return value >= 1000 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
}

function short(value: number) {
  return String(Number(value.toPrecision(3)));
}
