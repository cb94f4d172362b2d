import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";
import { IS_CAMPAIGN } from "#test/tool/effort.ts";
import { buildStaticFiles } from "../system/static-files.ts";
import { configOf, deployedName, ROOT, WORKERS, type WorkerName } from "../workers.ts";
import { outdatedEnvironment, withEnvironment } from "./environment.ts";

const textOf = (worker: WorkerName) => readFileSync(configOf(worker), "utf8");

/** The Workers, buckets, queues and counters of rates that the configuration of an environment refers to. */
function namesIn(worker: WorkerName, env: string) {
  const config = readConfig({ config: configOf(worker), env });
  return {
    own: config.name,
    names: [
      ...(config.services ?? []).map(({ service }: { service: string }) => service),
      ...config.r2_buckets.map(({ bucket_name = "" }) => bucket_name),
      ...(config.queues.producers ?? []).map(({ queue }: { queue?: string }) => queue ?? ""),
      ...(config.queues.consumers ?? []).map(({ queue }: { queue?: string }) => queue ?? ""),
      ...config.durable_objects.bindings.map(({ script_name }: { script_name?: string }) => script_name ?? config.name),
    ],
    counters: config.ratelimits.map(({ namespace_id }: { namespace_id: string }) => namespace_id),
    bindings: Object.keys(config.vars).concat(JSON.stringify(config).match(/"(?:binding|class_name)":"\w+"/g) ?? []),
    inherited: [
      config.triggers,
      config.placement,
      config.limits,
      config.assets,
      config.migrations,
      config.observability,
    ],
  };
}

test("an environment refers to itself alone, and the top of each wrangler.toml to no environment", () => {
  const found = WORKERS.flatMap((worker) => [namesIn(worker, ""), namesIn(worker, "staging")]);
  expect(WORKERS.map((worker) => namesIn(worker, "staging").own)).toEqual(
    WORKERS.map((worker) => deployedName(worker, "staging")),
  );
  for (const worker of WORKERS) {
    for (const name of namesIn(worker, "staging").names) expect(name).toMatch(/^fleet-staging-/);
    for (const name of namesIn(worker, "").names) expect(name).not.toMatch(/^fleet-staging-/);
  }
  const counters = found.flatMap((one) => one.counters);
  expect(new Set(counters).size).toBe(counters.length);
});

test.each(WORKERS)("the environment staging of %s has the settings and bindings of the top", (worker) => {
  const [top, staging] = [namesIn(worker, ""), namesIn(worker, "staging")];
  expect(staging.bindings).toEqual(top.bindings);
  expect(staging.inherited).toEqual(top.inherited);
  expect(staging.names).toEqual(top.names.map((name) => name?.replace("fleet-", "fleet-staging-")));
});

test.each(WORKERS)("npm run environment staging has nothing to change in the wrangler.toml of %s", (worker) => {
  expect(withEnvironment(textOf(worker), "staging")).toBe(textOf(worker));
});

test("withEnvironment keeps other environments, changed settings and routes, and drops what the top no longer has", () => {
  const toml = textOf("geo");
  const two = withEnvironment(toml, "canary");
  expect(withEnvironment(withEnvironment(two, "staging"), "canary").split("\n").toSorted()).toEqual(
    two.split("\n").toSorted(),
  );
  const changed = two
    .replace("[env.canary]\n", '[env.canary]\nroutes = ["canary.example.com/*"]\n')
    .replace(/(\[env\.canary\.vars\][^[]*ARCHIVE_DAYS = )"180"/, '$1"30"')
    .replace('ARCHIVE_DAYS = "180"', 'ARCHIVE_DAYS = "200"')
    .replace('RETRY_HOURS = "24"\n', "");
  const again = withEnvironment(changed, "canary");
  const canary = again.slice(again.indexOf("[env.canary]"));
  expect(canary).toContain('routes = ["canary.example.com/*"]');
  expect(canary).toContain('ARCHIVE_DAYS = "30"');
  expect(canary).not.toContain("RETRY_HOURS");
  const bound = withEnvironment(
    toml.replace("[[r2_buckets]]", '[[kv_namespaces]]\nbinding = "KV"\nid = "1"\n\n[[r2_buckets]]'),
    "canary",
  );
  expect(bound).toContain('[[env.canary.kv_namespaces]]\nbinding = "KV"');
});

test("outdatedEnvironment names the command for an environment that lacks a binding of the top", () => {
  const tomls = WORKERS.map(textOf);
  expect(outdatedEnvironment(tomls, "staging")).toEqual([]);
  expect(outdatedEnvironment(tomls, "")).toEqual([]);
  const added = textOf("geo").replace(
    "[[r2_buckets]]",
    '[[r2_buckets]]\nbinding = "NEW"\nbucket_name = "fleet-new"\n\n[[r2_buckets]]',
  );
  expect(outdatedEnvironment([...tomls, added], "staging")).toEqual([
    expect.stringContaining("bring it up to date with `npm run environment staging`"),
  ]);
});

test.each(["Staging", "a-b", "", "1st", "production", "x".repeat(21)])(
  "withEnvironment refuses the name %j",
  (name) => {
    expect(() => withEnvironment(textOf("geo"), name)).toThrow("is no name of an environment");
  },
);

test.runIf(IS_CAMPAIGN)(
  "wrangler deploy --dry-run --env staging bundles in the folder of each Worker, without a warning",
  async () => {
    await buildStaticFiles();
    const wrangler = join(ROOT, "node_modules", "wrangler", "bin", "wrangler.js");
    // Tests that ran before in this process may have silenced wrangler.
    const env = { ...process.env, WRANGLER_LOG: "log", WRANGLER_SEND_METRICS: "false", CI: "true", NO_COLOR: "1" };
    // Two at a time: each takes about a second of a processor.
    for (let first = 0; first < WORKERS.length; first += 2) {
      const outputs = WORKERS.slice(first, first + 2).map(async (worker) => {
        const args = [wrangler, "deploy", "--dry-run", "--env", "staging"];
        return promisify(execFile)(process.execPath, args, { cwd: dirname(configOf(worker)), env });
      });
      for (const { stdout, stderr } of await Promise.all(outputs)) {
        expect(stdout).toContain("--dry-run: exiting now.");
        expect(stdout + stderr).not.toMatch(/warning/i);
      }
    }
  },
);
