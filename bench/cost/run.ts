// npm run cost: runs a tracker's day through the whole system, once with a point a request and once with thirty, counts what
// is billed, and prints what a tracker costs a month; then what an event and its delivery by a webhook cost.
// `npm run cost -- 1 3 30` runs a day for each of these sizes.

import { WORKERS } from "../../scripts/workers.ts";
import { accountsOf } from "../tool/account.ts";
import { startStack } from "../tool/stack.ts";
import { type Bill, billOf, millionOf, monthOf, type Usage } from "./bill.ts";
import { CountedDatabases } from "./counted-databases.ts";
import { type Counted, countDay } from "./day.ts";
import { countDeliveries } from "./deliveries.ts";
import { countFleet } from "./fleet.ts";
import { meteredFronts } from "./front.ts";
import prices from "./prices.json" with { type: "json" };
import { COUNTED_SYSTEM } from "./settings.ts";

/** The storage period of most tariffs, and the grace. */
const KEPT_DAYS = 120;
const FLEETS = [100, 1000, 100_000];
/** The number of trackers of a fleet that seldom send at the same time. */
const ALONE = 100;
/** The number of sweeps that are counted; the bill of a month is computed from them. */
const SWEEPS = 5;
const EVENTS = 100;
const MINUTES = prices.days * 24 * 60;

const wanted = process.argv.slice(2).map(Number);
const sizes = wanted.length > 0 ? wanted : [1, 30];
const databases = new CountedDatabases();
const stack = await startStack({
  fronts: meteredFronts(),
  counted: (servers) => databases.to(servers),
  settings: COUNTED_SYSTEM,
});
const account = await (await accountsOf(stack))("cost@example.com");
try {
  const installation = await idleMonth();
  for (const size of sizes) {
    process.stderr.write(`a day, ${size} a request …\n`);
    const day = await countDay({ stack, databases, account }, size);
    const fleet = size > 1 ? null : await fleetOf(day);
    const bills = FLEETS.map((trackers) => {
      const counted = trackers > ALONE ? (fleet ?? day) : day;
      return billOf(monthOf(counted, KEPT_DAYS), installation, trackers);
    });
    const counts = fleet
      ? `${countsOf(day, "alone")}\n\n${countsOf(fleet, "of a thousand")}`
      : countsOf(day, "in a day");
    console.log(`\n## ${size} a request\n\n${counts}\n\n${tableOf(bills)}`);
  }
  console.log(`\nPrices as of ${prices.as_of}, in ${prices.currency}, a tracker and month.`);
  console.log(`\n## Events\n\n${await deliveryTable()}`);
} finally {
  await stack.stop();
  databases.stop();
}
process.exit(0);

/** Usage of the sweeps of each minute, which does not depend on trackers. */
async function idleMonth(): Promise<Usage> {
  await stack.workers.fireCrons(new Date());
  databases.take();
  const processorMs = stack.processorMs();
  for (let minute = 0; minute < SWEEPS; minute++) await stack.workers.fireCrons(new Date());
  const { written, read } = databases.take();
  const share = MINUTES / SWEEPS;
  return {
    worker_requests: WORKERS.length * MINUTES,
    worker_cpu_ms: (stack.processorMs() - processorMs) * share,
    database_rows_written: written * share,
    database_rows_read: read * share,
  };
}

/** Points that come one by one meet those of other trackers, where there are many. */
async function fleetOf(day: Counted): Promise<Counted> {
  process.stderr.write("an hour of many trackers, which takes three minutes …\n");
  return { ...day, ...(await countFleet({ stack, databases, account })) };
}

function countsOf({ points, requests, counts, rows, feedBytes, databaseBytes, processorMs }: Counted, of: string) {
  const byFrequency = Object.entries(counts).toSorted((one, other) => other[1] - one[1]);
  const lines = [
    ["points", points],
    ["requests of the gateway", requests],
    ...byFrequency,
    ["database rows written", rows.written],
    ["database rows read", rows.read],
    ["bytes in the database", databaseBytes],
    ["bytes by which the feed grew", feedBytes.end - feedBytes.begin],
    ["CPU of all Workers and objects, ms", processorMs],
  ];
  return [
    `| a tracker's day, ${of} | |`,
    "|---|---|",
    ...lines.map(([name, count]) => `| ${name} | ${Math.round(Number(count))} |`),
  ].join("\n");
}

/** The cost of a million events: of the changes that make them, and of their delivery by one webhook. */
async function deliveryTable(): Promise<string> {
  process.stderr.write("events and their deliveries …\n");
  const { change, delivery } = await countDeliveries({ stack, databases, account }, EVENTS);
  const [changes, deliveries] = [millionOf(change), millionOf(delivery)];
  const rows = changes.map(({ name, amount }, index) => [name, amount, deliveries[index]?.amount ?? 0] as const);
  const lines = [...rows, ["**together**", totalOf(changes), totalOf(deliveries)] as const];
  return [
    "| dollars a million | the change, with its event and audit entry | its delivery |",
    "|---|---|---|",
    ...lines.map(([name, first, second]) => `| ${name} | ${first.toFixed(2)} | ${second.toFixed(2)} |`),
  ].join("\n");
}

function totalOf(lines: { amount: number }[]) {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}

function tableOf(bills: Bill[]): string {
  const names = [...new Set(bills.flatMap(({ lines }) => lines.map(({ name }) => name)))];
  const amountOf = ({ lines }: Bill, name: string) => lines.find((line) => line.name === name)?.amount ?? 0;
  const rows = [
    ...names.map((name) => [name, ...bills.map((bill) => dollars(amountOf(bill, name)))]),
    ["plans", ...bills.map(({ base }) => dollars(base))],
    ["**together**", ...bills.map(({ total }) => `**${dollars(total)}**`)],
  ];
  const head = ["a tracker and month", ...FLEETS.map((trackers) => `${trackers.toLocaleString("en")} trackers`)];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function dollars(amount: number) {
  return amount.toFixed(4);
}
