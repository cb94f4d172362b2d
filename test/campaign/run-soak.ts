// npm run soak: accounts at work while processes are killed, for SOAK_SECONDS; SOAK_SEED repeats a run.
import { systemNow } from "../../shared/time/clock.ts";
import { soak } from "./soak.ts";

const MAX_SHOWN_LINES = 20;
const MAX_LINE_CHARACTERS = 300;

const seed = Number(process.env.SOAK_SEED || systemNow() % 1_000_000_000);
const seconds = Number(process.env.SOAK_SECONDS || 600);
console.log(`SOAK_SEED=${seed}`);
// A signal ends this as any end does, so that what it has started and mounted goes with it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));

const { findings, log } = await soak(seed, seconds, console.log);
const width = Math.max(...findings.map(({ checked }) => checked.length));
console.log("");
for (const { checked, found, offences } of findings) {
  console.log(`${offences.length === 0 ? "ok  " : "FAIL"}  ${checked.padEnd(width)}  ${found}`);
}
const offending = findings.filter(({ offences }) => offences.length > 0);
for (const { checked, offences } of offending) {
  console.log(`\n${checked}: ${offences.length} offend`);
  for (const line of countLines(offences)) console.log(line);
}
if (offending.length > 0) {
  console.log("\nWhat the system logged:");
  for (const line of countLines(log.split("\n").flatMap(errorsOf))) console.log(line);
  process.exitCode = 1;
}
console.log(`\nSOAK_SEED=${seed} SOAK_SECONDS=${seconds} npm run soak`);
process.exit();

/** Distinct lines with their number, most frequent first. */
function countLines(lines: string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  const sorted = [...counts].sort(([, one], [, other]) => other - one).slice(0, MAX_SHOWN_LINES);
  return sorted.map(([line, count]) => `${String(count).padStart(6)} x ${line}`);
}

/** Without what differs each time: the id of the request and the places in the code. */
function errorsOf(line: string): string[] {
  if (!line.startsWith("{")) return line.trim() === "" ? [] : [line.slice(0, MAX_LINE_CHARACTERS)];
  const path = /"path":"([^"]*)"/.exec(line)?.[1] ?? "";
  const error = /"error":"((?:[^"\\]|\\[^n])*)/.exec(line)?.[1] ?? line;
  return [`${path} ${error}`.slice(0, MAX_LINE_CHARACTERS)];
}
