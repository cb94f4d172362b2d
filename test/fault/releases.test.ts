import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildForDeployment } from "../../scripts/system/bundle.ts";
import type { LocalWorkers } from "../../scripts/system/miniflare.ts";
import { WORKERS, type WorkerName } from "../../scripts/workers.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { MINUTE_MS } from "../../shared/time/duration.ts";
import { type Account, type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { DECLARED } from "../tool/call/declared.ts";
import { IS_CAMPAIGN } from "../tool/effort.ts";
import { type LocalInstallation, newLocalInstallation } from "../tool/installation/local-workers.ts";
import { SAMPLES } from "../tool/sample/index.ts";
import { daysAgo, ZONE } from "../tool/sample/range.ts";
import { newWorld } from "../tool/sample/world.ts";
import { bindingsFronts, moveClock } from "../tool/system/changed-bindings.ts";

/** No release has this version of the contracts. */
const OTHER_CONTRACT = 4711;
const MIN_COMPARED_CALLS = 60;
/** The service that the others call most proves how Workers meet another release; a campaign tries each of the six. */
const REPLACED: WorkerName[] = IS_CAMPAIGN ? [...WORKERS] : ["fleet"];

let installation: LocalInstallation;
let workers: LocalWorkers;
let accounts: Accounts;
let world: Awaited<ReturnType<typeof newWorld>>;
/** Makes changes, which the answers to the world's account must not show. */
let writer: Account;
let otherBundles: Map<WorkerName, string>;
/** Answers of reading calls while all Workers are of one release; those that are the same a minute later. */
let answers: Map<string, string>;
/** A tracker of the writer, which sends points beside each other release. */
let tracker: Reply;

beforeAll(async () => {
  installation = await newLocalInstallation();
  otherBundles = await bundleOther(installation.folder);
  workers = await installation.start({}, { fronts: bindingsFronts() });
  const fireCron = async () => workers.fireCrons(new Date(systemNow()));
  accounts = { ...accountsOn(installation), fireCron };
  world = await newWorld(accounts);
  writer = await accounts.newAccount({ time_zone: ZONE });
  tracker = await writer.newTracker();
  const first = await readAll();
  await moveClock(workers, 61);
  const later = await readAll();
  answers = new Map([...first].filter(([name, text]) => later.get(name) === text && codeOf(text) === 0));
});

afterAll(async () => {
  await workers?.stop();
  await installation?.remove();
});

test("calls to a system in which one Worker has other contracts answer the same as before or 14", async () => {
  expect(answers.size).toBeGreaterThan(MIN_COMPARED_CALLS);
  const made: string[] = [];
  const codes = new Map<WorkerName, Set<number>>();
  for (const [worker, bundle] of otherBundles) {
    await restart({ otherReleases: { [worker]: { bundle, contract: OTHER_CONTRACT } } });
    const mixed = await readAll();
    const wrong = [...answers].filter(([name, text]) => mixed.get(name) !== text && codeOf(mixed.get(name)) !== 14);
    expect(wrong.map(([name, text]) => ({ worker, name, text, mixed: mixed.get(name) }))).toEqual([]);
    codes.set(worker, new Set([...mixed.values()].map(codeOf)));
    for (const [path, label, parameters] of writesOf(worker, tracker.source.device_id)) {
      const { success, status } = await writer.call(path, parameters);
      if (success) made.push(label);
      else expect([worker, path, status.code]).toEqual([worker, path, 14]);
    }
  }
  // Each Worker answered some calls alone and needed the other release for some.
  for (const worker of REPLACED)
    expect([worker, [0, 14].every((code) => codes.get(worker)?.has(code))]).toEqual([worker, true]);

  await restart();
  expect(made.length).toBeGreaterThan(REPLACED.length);
  expect(await listMade(writer, tracker.id)).toEqual(expect.arrayContaining(made));
});

test("a call that needs a method of another Worker that the release there lacks answers 14", async () => {
  const parameters = { tracker_id: world.world.tracker_id };
  const front = 'import Fleet from "./index.js"; export * from "./index.js"; export default Fleet;';
  const lacking = `${front} for (let type = Fleet; type; type = Object.getPrototypeOf(type)) delete type.prototype?.trackersOf;`;
  await restart({ fronts: { fleet: { "lacking.js": lacking } } });
  expect((await world.account.call("/tracker/settings/lbs/read", parameters)).status.code).toBe(14);
  await world.account.must("/vehicle/list");
});

async function restart(changes: Parameters<LocalInstallation["start"]>[1] = {}) {
  await workers.stop();
  workers = await installation.start({}, changes);
}

/** Bundles Workers with another contract version. */
async function bundleOther(folder: string): Promise<Map<WorkerName, string>> {
  const version = join(folder, "version.ts");
  await writeFile(version, `export const CONTRACT_VERSION = ${OTHER_CONTRACT};`);
  const bundled = REPLACED.map(async (worker): Promise<[WorkerName, string]> => {
    const bundle = join(folder, "other-release", worker);
    await buildForDeployment(worker, bundle, ["--alias", `#shared/operation/contract-version.ts:${version}`]);
    return [worker, bundle];
  });
  return new Map(await Promise.all(bundled));
}

/** Makes each reading call of the samples; the answers by path and number of the sample. */
async function readAll(): Promise<Map<string, string>> {
  const cases = Object.entries(SAMPLES).flatMap(([path, samples]) =>
    samples.flatMap((sample, index) => {
      const isPlain = DECLARED.get(path)?.reads && !sample.before && !sample.as;
      return isPlain ? [{ name: `${path} ${index}`, path, sample }] : [];
    }),
  );
  const texts = new Map<string, string>();
  for (const { name, path, sample } of cases) {
    const parameters = { hash: world.account.hash, ...sample.parameters(world.world, world.account) };
    const body = JSON.stringify(parameters);
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(installation.baseUrl + path, { method: "POST", headers, body });
    texts.set(name, textOf(new Uint8Array(await answer.arrayBuffer())));
  }
  return texts;
}

/** An answer as text, of an archive its files: an archive contains the time when it was made. */
function textOf(answer: Uint8Array): string {
  const read = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (!read(answer.subarray(0, 2)).startsWith("PK")) return read(answer);
  return JSON.stringify(Object.entries(unzipSync(answer)).map(([name, bytes]) => [name, read(bytes)]));
}

/** Writing calls with the label by which `listMade` finds what they have made. */
function writesOf(worker: WorkerName, device_id: string): [path: string, label: string, parameters: object][] {
  const label = `Made beside another ${worker}`;
  const zone = { type: "circle", label, center: { lat: 50, lng: 8 }, radius: 300 };
  const field = { id: "name", label: "Name", type: "text", description: "What it is", required: false };
  const template = { label, description: "", submit_in_zone: false, default: false };
  const fields = [{ ...field, min_length: 1, max_length: 100 }];
  const index = WORKERS.indexOf(worker);
  const point = { time: systemNow() - (10 - index) * MINUTE_MS, lat: 50 + index / 100, lng: 8 };
  return [
    ["/vehicle/create", `vehicle ${label}`, { vehicle: { label } }],
    ["/zone/create", `zone ${label}`, { zone }],
    ["/form/template/create", `template ${label}`, { template: { ...template, fields } }],
    ["/ingest/points", `point ${index}`, { device_id, points: [point] }],
  ];
}

async function listMade(account: Account, tracker_id: number): Promise<string[]> {
  const labels = async (kind: string, path: string) =>
    ((await account.must(path)) as Reply).list.map(({ label }: Reply) => `${kind} ${label}`);
  const range = { from: daysAgo(1), to: daysAgo(-1), simplify: false, filter: false };
  const { list } = await account.must("/track/read", { tracker_id, ...range });
  const points = list.map(({ lat }: Reply) => `point ${Math.round((lat - 50) * 100)}`);
  const lists = [
    labels("vehicle", "/vehicle/list"),
    labels("zone", "/zone/list"),
    labels("template", "/form/template/list"),
  ];
  return [...(await Promise.all(lists)).flat(), ...points];
}

function codeOf(text = ""): number {
  return text.startsWith('{"success":false') ? JSON.parse(text).status.code : 0;
}
