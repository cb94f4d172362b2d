// node scripts/run.mjs size: bundles all Workers as for a deployment and builds the console; fails when one of them is too
// large or wrangler warns.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildConsole } from "./console/build-console.ts";
import { firstLoadKib } from "./console/first-load.ts";
import { buildForDeployment } from "./system/bundle.ts";
import { buildStaticFiles } from "./system/static-files.ts";
import { forEachWorker, WORKERS } from "./workers.ts";

const BUDGET_KIB = 1024;
const FIRST_LOAD_BUDGET_KIB = 250;

await buildConsole();
await buildStaticFiles();
const folder = await mkdtemp(join(tmpdir(), "fleet-size-"));
const outputs = await forEachWorker((worker) => buildForDeployment(worker, join(folder, worker)));
await rm(folder, { recursive: true });

for (const worker of WORKERS) {
  // "Total Upload: 155.42 KiB / gzip: 32.25 KiB"
  const gzip = Number(outputs[worker].match(/gzip: ([\d.]+) KiB/)?.[1]);
  const fits = gzip <= BUDGET_KIB; // not when the line was not found
  console.log(`${worker}: ${gzip} KiB gzip${fits ? "" : `, more than the ${BUDGET_KIB} KiB allowed`}`);
  const [warning] = outputs[worker].match(/.*warning.*/i) ?? [];
  if (warning) console.log(`${worker}: ${warning}`);
  if (!fits || warning) process.exitCode = 1;
}

const firstLoad = await firstLoadKib();
const isQuick = firstLoad <= FIRST_LOAD_BUDGET_KIB;
const excess = isQuick ? "" : `, more than the ${FIRST_LOAD_BUDGET_KIB} KiB allowed`;
console.log(`console, first load without the map: ${firstLoad.toFixed(1)} KiB gzip${excess}`);
if (!isQuick) process.exitCode = 1;
