import { execFile } from "node:child_process";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildClient, CLIENT } from "../../scripts/client/build-client.ts";
import { ROOT } from "../../scripts/workers.ts";
import { type Account, accountsOn } from "../tool/call/account.ts";
import { hasBrowser } from "../tool/console/browser.ts";
import { connectBrowser } from "../tool/console/lent-browser.ts";
import { startPageServer } from "../tool/console/page-server.ts";
import { PNG } from "../tool/document/png.ts";
import { startSystem } from "../tool/system/system.ts";

const run = promisify(execFile);
const EXAMPLES = join(CLIENT, "examples");

/** Calls that the types must refuse. */
const WRONG_USES = `import { FleetClient } from "fleet-monitoring-client";
const fleet = new FleetClient({ baseUrl: "https://fleet.example.com/api-v2" });
// @ts-expect-error: there is no such path
await fleet.call("/vehicle/lists");
// @ts-expect-error: a vehicle is required
await fleet.call("/vehicle/create");
// @ts-expect-error: a label is text
await fleet.call("/vehicle/create", { vehicle: { label: 7 } });
// @ts-expect-error: a reply has no such member
(await fleet.call("/vehicle/list")).vehicles;
// @ts-expect-error: this operation has no pages
fleet.each("/vehicle/read", { vehicle_id: 1 });
// @ts-expect-error: this operation answers no file
await fleet.file("/vehicle/read", { vehicle_id: 1 });
// @ts-expect-error: there is no such report
await fleet.report({ trackers: [1], from: "", to: "", plugin: { plugin_id: 1000 } });
`;
const SETTINGS = {
  compilerOptions: {
    ...{ strict: true, noUncheckedIndexedAccess: true, target: "es2024", module: "nodenext", noEmit: true },
    types: ["node"],
    typeRoots: [join(ROOT, "node_modules", "@types")],
  },
};

let system: Awaited<ReturnType<typeof startSystem>>;
let project: string;
let account: Account;

/** An empty project into which the packed client is installed. */
beforeAll(async () => {
  // Its webhooks deliver at once, which those of the shared system do not.
  system = await startSystem({ AUDIT_DELAY_SECONDS: "0.05" });
  project = await mkdtemp(join(tmpdir(), "fleet-client-"));
  expect((await buildClient()).problems).toBe("");
  await run("npm", ["pack", CLIENT], { cwd: project });
  const [archive = ""] = readdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "type": "module", "private": true }');
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${archive}`], { cwd: project });
  cpSync(EXAMPLES, project, { recursive: true });
  account = await accountsOn(system).newAccount();
  await account.newTracker();
});

afterAll(async () => {
  await system?.stop();
  await rm(project, { recursive: true });
});

test("the packed client compiles in an empty strict project, and wrong uses of it do not", async () => {
  writeFileSync(join(project, "wrong-uses.ts"), WRONG_USES);
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(SETTINGS));
  const tsc = join(ROOT, "node_modules", "typescript-native", "bin", "tsc");
  const { stdout } = await run(process.execPath, [tsc, "--project", project]).catch(({ stdout }) => ({ stdout }));
  expect(stdout).toBe("");
});

test("the client has at most 12 KiB of gzip and no type any", () => {
  const folder = join(project, "node_modules", "fleet-monitoring-client", "dist");
  expect(gzipSync(readFileSync(join(folder, "index.js"))).byteLength).toBeLessThanOrEqual(12 * 1024);
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".d.ts"))) {
    expect(readFileSync(join(folder, name), "utf8"), name).not.toMatch(/: any\b|<any\b|\bas any\b/);
  }
});

const OUTPUTS: Record<string, RegExp> = {
  "vehicles.ts": /^made Van 7, at most 120 km\/h\nfound Van 7\nrefused with 7: vehicle\.label .+\n$/,
  "track.ts": /^20 points from \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.+\nthe report has 1 sheet\n$/,
  "photo.ts": /^check-in \d+ with one photo\n$/,
  "receiver.ts": /^vehicle Van 8 was created\n$/,
  "live.ts": /^state_batch \d+\n$/,
};

test.each(readdirSync(EXAMPLES))("the example %s of the client runs in Node against the system", async (name) => {
  const { login, password } = account;
  const env = { ...process.env, FLEET_URL: system.baseUrl, FLEET_LOGIN: login, FLEET_PASSWORD: password };
  const { stdout } = await run(process.execPath, [join(project, name)], { cwd: project, env });
  expect(stdout).toMatch(OUTPUTS[name] ?? /a test expects the output/);
});

test("the client runs in workerd", async () => {
  const { login, password } = account;
  const bundle = readFileSync(join(CLIENT, "dist", "index.js"), "utf8");
  const script = `import { FleetClient } from "./client.js";
    export default { async fetch(request, { OPTIONS }) {
      const fleet = new FleetClient(OPTIONS);
      const { list } = await fleet.call("/tracker/list");
      return Response.json({ trackers: list.length });
    } }`;
  const options = convertV4MiniflareOptions({
    name: "integrator",
    compatibilityDate: "2026-11-01",
    bindings: { OPTIONS: { baseUrl: system.baseUrl, credentials: { login, password } } },
    modulesRoot: "/",
    modules: [
      { type: "ESModule", path: "/index.js", contents: script },
      { type: "ESModule", path: "/client.js", contents: bundle },
    ],
  });
  const miniflare = new Miniflare(options);
  try {
    const response = await miniflare.dispatchFetch("http://integrator");
    expect(await response.json()).toMatchObject({ trackers: expect.any(Number) });
  } finally {
    await miniflare.dispose();
  }
});

test.skipIf(!hasBrowser)("the client calls, uploads and follows live states in a browser", async () => {
  const { login, password } = account;
  const [browser, server] = await Promise.all([connectBrowser(), startPageServer(join(CLIENT, "dist"))]);
  try {
    const page = await browser.newPage();
    await page.goto(server.origin);
    const script = `(async (options) => {
      const { FleetClient } = await import("/index.js");
      const fleet = new FleetClient(options);
      const { list } = await fleet.call("/tracker/list");
      const photo = new Blob([Uint8Array.from(${JSON.stringify([...PNG])})]);
      const { value } = await fleet.call("/checkin/image/create", { size: photo.size, filename: "door.png" });
      const uploaded = await fleet.upload(value, photo);
      for await (const { event } of fleet.live([{ type: "state_batch", target: { type: "all" } }]))
        return { trackers: list.length, file_id: uploaded.file_id, event };
    })(${JSON.stringify({ baseUrl: system.baseUrl, credentials: { login, password } })})`;
    expect(await page.evaluate(script)).toEqual({
      trackers: expect.any(Number),
      file_id: expect.any(Number),
      event: "state_batch",
    });
  } finally {
    server.stop();
    await browser.close();
  }
});
