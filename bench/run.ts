// npm run bench: measures the whole system on a stack of its own, every figure beside its baseline. `npm run bench --
// lists vehicles` measures the parts whose names have one of these words, and writes nothing down.
import { writeFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { bundleChanged } from "../scripts/system/bundle.ts";
import { ROOT } from "../scripts/workers.ts";
import { attackFigures } from "./attacks.ts";
import { batchFigures } from "./batches.ts";
import { consoleFigures } from "./console/figures.ts";
import { replayFigures } from "./console/replay.ts";
import { credentialsFigure } from "./credentials.ts";
import { edgeFigures } from "./edge.ts";
import { eventFeedFigure } from "./event-feed.ts";
import * as lists from "./lists.ts";
import { loginFigure } from "./login.ts";
import { outageFigure } from "./outage.ts";
import { archiveFigures } from "./point/archive.ts";
import { countersFigure } from "./point/counters.ts";
import { growthFigures } from "./point/growth.ts";
import { newFleet, osmandFigures, pointsFigure } from "./point/ingest.ts";
import * as month from "./point/month.ts";
import { retranslationFigures } from "./point/retranslation.ts";
import { ruleFigures, starFigures, trialFigures } from "./point/rules.ts";
import { zoneFileFigure } from "./point/zone-files.ts";
import { previewsFigure } from "./previews.ts";
import { notificationFigure } from "./pushes.ts";
import { reportFileFigures } from "./report-files.ts";
import * as reports from "./reports.ts";
import { socketFigures } from "./sockets.ts";
import { checkinFigure, mixedPushFigure, pushFigure } from "./sync.ts";
import { midnightFigures, taskListFigure, visitFigure } from "./tasks.ts";
import { accountsOf } from "./tool/account.ts";
import { compareRounds, type Failed, type Figure } from "./tool/figure.ts";
import { startStack } from "./tool/stack.ts";
import { tableOf } from "./tool/table.ts";
import { uploadFigure } from "./uploads.ts";
import * as vehicles from "./vehicles.ts";
import { webhookFigures } from "./webhooks.ts";
import { writerFigures } from "./writers.ts";

const MEGABYTE = 1024 * 1024;
const wanted = process.argv.slice(2);
const figures: (Figure | Failed)[] = [];
const started = performance.now();
progress("starting");
// The gateway serves the files of the console that are there when it starts.
await bundleChanged({ withConsole: true });
const stack = await startStack();
try {
  const newAccount = await accountsOf(stack);
  const [large, small] = [await newAccount("large@example.com"), await newAccount("small@example.com")];

  // Registering them has warmed the Workers up.
  const fleet = await newFleet(large);
  const atStart = stack.residentBytes();
  const recorded = await attempt("a month of points", () => month.recordMonth(stack, large));
  await measure("single points", () => osmandFigures(stack, fleet));
  await measure("batches of points", async () => [await pointsFigure(stack, fleet)]);
  await measure("memory", async () => memoryFigures(atStart, stack.residentBytes()));
  await measure("points that are forwarded", async () =>
    retranslationFigures(stack, fleet, await newAccount("forwarding@example.com")),
  );
  await measure("vehicles, one by one", () => vehicles.readFigures(stack, large));
  await measure("keys of vehicles", async () => [
    await vehicles.keyFigure(stack, await newAccount("keys@example.com")),
  ]);
  await measure("a page of vehicles", async () => [
    await vehicles.listFigure(stack, await newAccount("page@example.com")),
  ]);
  if (recorded) {
    await measure("storage", async () => month.sizeFigures(recorded));
    await measure("lists of tracks", async () => [await month.listFigure(stack, large, recorded)]);
    await measure("points of tracks", () => month.readFigures(stack, large, recorded));
    await measure("reports", () => reports.reportFigures(stack, large, recorded));
    await measure("trials of rules on a month of points", () => trialFigures(stack, large, recorded));
    await measure("points times zones", () => starFigures(stack, large, recorded));
    await measure("attacks, after a month of points", async () =>
      attackFigures(stack, large, recorded, await newAccount("attacked@example.com")),
    );
  }
  await measure("the archive of points", async () => archiveFigures(stack, await newAccount("archive@example.com")));
  await measure("reports of many trackers", async () =>
    reports.manyTrackersFigures(stack, await newAccount("reports@example.com")),
  );
  await measure("files of reports", async () =>
    reportFileFigures(stack, await newAccount("files-of-reports@example.com")),
  );
  await measure("long lists", () => lists.listFigures(stack, large, small));
  await measure("tags", async () => [await lists.searchFigure(stack, small)]);
  await measure("visits of tasks", async () => [await visitFigure(stack, await newAccount("visits@example.com"))]);
  await measure("schedules", async () => midnightFigures(stack, await newAccount("schedules@example.com")));
  await measure("lists of tasks", async () => [await taskListFigure(stack, large, small)]);
  await measure("phones that were offline", async () => [
    await pushFigure(small),
    await mixedPushFigure(small),
    await checkinFigure(small),
  ]);
  await measure("counters", async () => [await countersFigure(stack, small)]);
  await measure("previews", async () => [await previewsFigure()]);
  await measure("credentials", async () => [await credentialsFigure(stack, "small@example.com")]);
  await measure("zones and rules", async () =>
    ruleFigures(stack, await newAccount("rules@example.com"), await newAccount("no-rules@example.com")),
  );
  await measure("files of zones", async () => [await zoneFileFigure(stack, newAccount)]);
  await measure("growth", growthFigures);
  await measure("pushes", async () => [await notificationFigure(stack, await newAccount("pushes@example.com"))]);
  await measure("live sockets", async () => socketFigures(stack, await newAccount("sockets@example.com")));
  await measure("uploads", async () => [await uploadFigure(stack, await newAccount("uploads@example.com"))]);
  await measure("batches", batchFigures);
  await measure("edge", edgeFigures);
  await measure("outages", async () => [await outageFigure()]);
  await measure("writers", async () => writerFigures(stack, await newAccount("writers@example.com")));
  await measure("the event feed", async () => [await eventFeedFigure(stack, await newAccount("events@example.com"))]);
  await measure("webhooks", () => webhookFigures(stack, newAccount));
  await measure("console", async () => consoleFigures(stack, await newAccount("console@example.com")));
  await measure("replays in the console", async () =>
    replayFigures(stack, large, recorded ?? (await month.recordMonth(stack, large))),
  );
  await measure("log-ins", async () => [await loginFigure(stack, "small@example.com")]);
} finally {
  await stack.stop();
}
process.stderr.write(`done in ${Math.round((performance.now() - started) / 1000)} s\n\n`);
console.log(tableOf(figures));
if (wanted.length === 0) await keep();
// A goal that is missed on a busy machine is no failure; a figure that could not be measured is.
process.exit(figures.some((figure) => "failure" in figure) ? 1 : 0);

async function keep() {
  const machine = {
    cpu: cpus()[0]?.model,
    cores: availableParallelism(),
    platform: process.platform,
    arch: process.arch,
  };
  const record = { measured: new Date().toISOString(), node: process.version, machine, figures };
  await writeFile(join(ROOT, "bench.json"), `${JSON.stringify(record, null, 2)}\n`);
}

/** A part that fails does not stop the other parts. */
async function measure(what: string, part: () => Promise<Figure[]>) {
  const measured = await attempt(what, part);
  if (measured) figures.push(...measured);
}

async function attempt<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
  if (wanted.length > 0 && !wanted.some((word) => what.includes(word))) return undefined;
  progress(what);
  try {
    return await work();
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    figures.push({ name: what, failure });
  }
}

type Resident = ReturnType<typeof stack.residentBytes>;

function memoryFigures(before: Resident, after: Resident): Figure[] {
  const baseline = { name: "at the start", unit: "MB" };
  const [system, bare] = [
    { name: "memory of workerd after the ingest", unit: "MB", goal: { most: 2.5 }, baseline },
    // The runtime's own share: its memory also grows until unused objects are collected.
    { name: "memory of the bare Worker's workerd", unit: "MB", baseline },
  ];
  return [
    compareRounds(system, [after.system / MEGABYTE], [before.system / MEGABYTE]),
    compareRounds(bare, [after.bare / MEGABYTE], [before.bare / MEGABYTE]),
  ];
}

function progress(what: string) {
  process.stderr.write(`${what} …\n`);
}
