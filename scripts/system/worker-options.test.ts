import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { configOf, ROOT, WORKERS } from "../workers.ts";
import { buildStaticFiles } from "./static-files.ts";
import { deriveChangedOptions, workerOptions } from "./worker-options.ts";

const FILE = join(ROOT, ".build", "options.json");

test("workerOptions are what wrangler derives from each wrangler.toml, without rules for modules", async () => {
  await buildStaticFiles();
  await deriveChangedOptions();
  for (const worker of WORKERS) {
    const { modulesRules, ...expected } = unstable_getMiniflareWorkerOptions(configOf(worker)).workerOptions as Record<
      string,
      unknown
    >;
    expect(workerOptions()[worker]).toEqual(JSON.parse(JSON.stringify(expected)));
  }
  expect(workerOptions().geo).toMatchObject({ cronTriggers: ["* * * * *"], bindings: { TRIP_GAP_MINUTES: "30" } });
});

test("deriveChangedOptions derives options anew whose sources have changed", async () => {
  await buildStaticFiles();
  await deriveChangedOptions();
  const derived = JSON.parse(readFileSync(FILE, "utf8"));
  // Other tests may read the file meanwhile: only the stamp of its sources is another one.
  writeFileSync(`${FILE}.outdated`, JSON.stringify({ ...derived, sources: "other" }));
  renameSync(`${FILE}.outdated`, FILE);
  await deriveChangedOptions();
  expect(JSON.parse(readFileSync(FILE, "utf8"))).toEqual(derived);
});
