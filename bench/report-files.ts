import { systemNow } from "../shared/time/clock.ts";
import { DAY_MS } from "../shared/time/duration.ts";
import { generateReport, sendPoints } from "./reports.ts";
import { type Account, BASE } from "./tool/account.ts";
import { compareRounds, type Figure, rounds } from "./tool/figure.ts";
import type { Stack } from "./tool/stack.ts";

/** 100,000 points as an XLSX and as a CSV, both compressed; and 20,000 of them as a PDF. */
export async function reportFileFigures({ origin }: Stack, account: Account): Promise<Figure[]> {
  const to = Math.floor(systemNow() / 1000) * 1000;
  const range = { from: to - DAY_MS, to };
  const ids = [];
  for (let index = 0; index < TRACKERS; index++)
    ids.push(await sendPoints(account, FIRST + index, range, DAY_MS / POINTS));
  const all = await generateReport(account, ids, range, EVERY_POINT);
  const few = await generateReport(
    account,
    ids.slice(0, 1),
    { from: to - DAY_MS * (SMALL_COUNT / POINTS), to },
    EVERY_POINT,
  );
  const file = (report_id: number, format: string) =>
    download(`${origin}${BASE}/report/tracker/download`, { hash: account.hash, report_id, format });
  await file(all, "csv");
  const times = await rounds({
    csv: () => file(all, "csv"),
    xlsx: () => file(all, "xlsx"),
    fewAsCsv: () => file(few, "csv"),
    pdf: () => file(few, "pdf"),
  });
  const baseline = { name: "the same as CSV", unit: "ms" };
  return [
    compareRounds({ name: "XLSX of 100,000 rows", unit: "ms", goal: { most: 6 }, baseline }, times.xlsx, times.csv),
    compareRounds({ name: "PDF of 20,000 rows", unit: "ms", baseline }, times.pdf, times.fewAsCsv),
  ];
}

/** Milliseconds until all of it is there. */
async function download(address: string, parameters: object): Promise<number> {
  const start = performance.now();
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(parameters) });
  const { byteLength } = await answer.arrayBuffer();
  if (!answer.ok || byteLength < LEAST_BYTES) throw new Error(`answered ${answer.status} with ${byteLength} bytes`);
  return performance.now() - start;
}

const EVERY_POINT = { plugin_id: 91 };
const TRACKERS = 2;
/** Device ids from here on are used by no other part of the benchmark. */
const FIRST = 1000;
/** Per tracker, within a day. */
const POINTS = 50_000;
const SMALL_COUNT = 20_000;
const LEAST_BYTES = 100_000;
