import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { forEachWorker, WORKERS } from "../workers.ts";
import { buildForDeployment } from "./bundle.ts";
import { buildStaticFiles } from "./static-files.ts";

test("wrangler deploy --dry-run bundles the six Workers without a warning", async () => {
  await buildStaticFiles();
  const folder = await mkdtemp(join(tmpdir(), "fleet-bundle-"));
  const outputs = await forEachWorker((worker) => buildForDeployment(worker, join(folder, worker)));
  await rm(folder, { recursive: true });
  for (const worker of WORKERS) {
    expect(outputs[worker]).toMatch(/Total Upload: .* gzip: /);
    expect(outputs[worker]).not.toMatch(/warning/i);
  }
});
