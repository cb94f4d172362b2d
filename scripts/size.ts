// node scripts/run.mjs size: bundles all Workers and the console as for a deployment, unless they are; fails when one of them is
// too large or wrangler has warned.
import { readFileSync } from "node:fs";
import { firstLoadKib } from "./console/first-load.ts";
import { bundleChanged, bundlingLogOf } from "./system/bundle.ts";
import { WORKERS } from "./workers.ts";

const BUDGET_KIB = 1024;
const FIRST_LOAD_BUDGET_KIB = 250;

await bundleChanged({ withConsole: true });

for (const worker of WORKERS) {
  // "Total Upload: 155.42 KiB / gzip: 32.25 KiB"
  const log = readFileSync(bundlingLogOf(worker), "utf8");
  const gzip = Number(log.match(/gzip: ([\d.]+) KiB/)?.[1]);
  const fits = gzip <= BUDGET_KIB; // not when the line was not found
  console.log(`${worker}: ${gzip} KiB gzip${fits ? "" : `, more than the ${BUDGET_KIB} KiB allowed`}`);
  const [warning] = log.match(/.*warning.*/i) ?? [];
  if (warning) console.log(`${worker}: ${warning}`);
  if (!fits || warning) process.exitCode = 1;
}

const firstLoad = await firstLoadKib();
const isQuick = firstLoad <= FIRST_LOAD_BUDGET_KIB;
const excess = isQuick ? "" : `, more than the ${FIRST_LOAD_BUDGET_KIB} KiB allowed`;
console.log(`console, first load without the map: ${firstLoad.toFixed(1)} KiB gzip${excess}`);
if (!isQuick) process.exitCode = 1;
