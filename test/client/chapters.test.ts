import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, globSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/workers.ts";
import { type Account, accountsOn } from "../tool/call/account.ts";
import { PNG } from "../tool/document/png.ts";
import { startSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

const CHAPTERS = globSync("docs/integrating/*.md", { cwd: ROOT });
const EXAMPLES = join(ROOT, "docs", "integrating", "examples");
/** Programs of a page, which test/live/push-browser.test.ts runs, and the module that all others import. */
const RUN_ELSEWHERE = ["push-page.js", "push-worker.js", "post.js"];
const TEMPLATE = { label: "Delivery", description: "", submit_in_zone: false, default: false };
const FIELD = { description: "As the driver sees it", required: true };
const FIELDS = [
  { ...FIELD, id: "name", label: "Name", type: "text", min_length: 1, max_length: 100 },
  { ...FIELD, id: "sign", label: "Signature", type: "signature", required: false },
];

let system: Awaited<ReturnType<typeof startSystem>>;
let account: Account;
let folder: string;
let tracker_id: number;
let source_id: number;
let template_id: number;

beforeAll(async () => {
  // Changes are events at once, which those of the shared system are not.
  system = await startSystem({ AUDIT_DELAY_SECONDS: "0.05" });
  account = await accountsOn(system).newAccount();
  const tracker = await account.newTracker({ label: "Van 7" });
  [tracker_id, source_id] = [tracker.id, tracker.source.id];
  template_id = (await account.must("/form/template/create", { template: { ...TEMPLATE, fields: FIELDS } })).id;
  folder = await mkdtemp(join(tmpdir(), "fleet-chapters-"));
  cpSync(EXAMPLES, folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module", "private": true }');
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "door.png"), PNG);
  cpSync(join(ROOT, "test", "fixtures", "images", "progressive.jpg"), join(folder, "sign.jpg"));
});

afterAll(async () => {
  await system?.stop();
  await rm(folder, { recursive: true });
});

/** Each example, and a test that holds what it says. */
const CASES: Record<string, () => Promise<void>> = {
  "refused-call.json": async () => {
    expect(await account.call("/vehicle/create", { vehicle: {} })).toMatchObject(json("refused-call.json"));
  },
  "idempotent-call.js": async () => expect(await output("idempotent-call.js")).toMatch(/^vehicle \d+\n$/),
  "event-feed.js": async () => {
    writeFileSync(join(folder, "cursor.txt"), (await account.must("/event/feed/read", { cursor: "newest" })).cursor);
    const { id } = await account.must("/vehicle/create", { vehicle: { label: "Van 9" } });
    await firstLine("event-feed.js", new RegExp(`^\\d+ vehicle.created ${id}$`, "m"));
  },
  "live-states.js": () => firstLine("live-states.js", new RegExp(`^${source_id} `, "m")),
  "webhook.json": async () => {
    const { id } = await account.must("/webhook/create", json("webhook.json"));
    const { list } = await account.must("/webhook/list");
    expect(list).toMatchObject([{ id, ...json("webhook.json").webhook }]);
  },
  "refused-form.json": async () => {
    const fields = [{ ...FIELD, id: "text-1", label: "Note", type: "text", min_length: 5, max_length: 9 }];
    const { id } = await account.must("/form/template/create", { template: { ...TEMPLATE, fields } });
    const { id: form_id } = await account.must("/checkin/form/create", { tracker_id, template_id: id });
    const form_submission = { form_id, values: { "text-1": { type: "text", value: "Hi" } } };
    const checkin = { tracker_id, location: { lat: 52.5, lng: 13.4 }, form_submission };
    expect(await account.call("/checkin/create", checkin)).toMatchObject(json("refused-form.json"));
  },
  "checkin.js": async () => expect(await checkIn()).toMatch(/^check-in \d+\n$/),
  "checkin-record.js": async () => {
    const [checkin = ""] = /\d+/.exec(await checkIn()) ?? [];
    expect(await output("checkin-record.js", checkin)).toBe("true true true true 1\n");
  },
  "offline-checkin.json": async () => {
    const { items } = json("offline-checkin.json");
    for (const { params } of items) {
      if ("tracker_id" in params) params.tracker_id = tracker_id;
      if ("template_id" in params) params.template_id = template_id;
    }
    const { results } = await account.must("/sync/push", { items });
    expect(results.map(({ answer }: { answer: object }) => answer)).toMatchObject([
      { success: true },
      { success: true },
    ]);
  },
  "sync-pull.js": async () => {
    expect(await output("sync-pull.js")).toMatch(/^all data \d+ \d+\n$/);
    expect(await output("sync-pull.js")).toMatch(/^changes 0 0\n$/);
  },
  "resumable-upload.js": async () => expect(await output("resumable-upload.js", "door.png")).toMatch(/^file \d+\n$/),
  "resumed-upload.sh": async () => {
    const { value } = await account.must("/vehicle/service_task/file/create", { size: PNG.length });
    const { url, fields, file_id } = value;
    const headers = {
      "Tus-Resumable": "1.0.0",
      "Upload-Offset": "0",
      "Content-Type": "application/offset+octet-stream",
    };
    const first = await fetch(`${url}?token=${fields.token}`, { method: "PATCH", headers, body: PNG.subarray(0, 30) });
    expect(first.headers.get("Upload-Offset")).toBe("30");
    const variables = { url, token: fields.token, file: join(folder, "door.png") };
    expect(await run("sh", [join(folder, "resumed-upload.sh")], variables)).toContain(` ${PNG.length}\r\n`);
    const uploaded = await fetch(`${system.baseUrl}/file/download/${file_id}?hash=${account.hash}`);
    expect(Buffer.from(await uploaded.arrayBuffer())).toEqual(PNG);
  },
  "service-task-conditions.json": async () => {
    const conditions = json("service-task-conditions.json");
    expect(await account.must("/vehicle/service_task/list", { conditions })).toMatchObject({ list: [] });
  },
};

describe("the chapters for integrators", () => {
  test("chapters show only code that is part of an example", () => {
    const examples = readdirSync(EXAMPLES).map((name) => readFileSync(join(EXAMPLES, name), "utf8"));
    const blocks = CHAPTERS.flatMap((chapter) =>
      [...readFileSync(join(ROOT, chapter), "utf8").matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, block = ""]) => block),
    );
    expect(blocks.length).toBeGreaterThan(10);
    expect(blocks.filter((block) => !examples.some((example) => example.includes(block)))).toEqual([]);
  });

  test("examples of chapters are all run by tests", () => {
    expect(readdirSync(EXAMPLES).toSorted()).toEqual([...Object.keys(CASES), ...RUN_ELSEWHERE].toSorted());
  });

  test.each(Object.entries(CASES))("the example %s does what it says", (_, isTrue) => isTrue());
});

/** The content of an example in JSON. */
function json(name: string) {
  return JSON.parse(readFileSync(join(EXAMPLES, name), "utf8"));
}

function checkIn() {
  return output("checkin.js", String(tracker_id), String(template_id), "door.png", "sign.jpg");
}

/** Everything that an example prints until it ends. */
function output(name: string, ...args: string[]): Promise<string> {
  return run(process.execPath, [join(folder, name), ...args]);
}

async function run(program: string, args: string[], variables: Record<string, string> = {}): Promise<string> {
  const child = start(program, args, variables);
  const [printed, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  expect({ code, errors }).toMatchObject({ code: 0 });
  return printed;
}

/** Starts an example that goes on for ever, and ends it once it has printed a line. */
async function firstLine(name: string, line: RegExp): Promise<void> {
  const child = start(process.execPath, [join(folder, name)]);
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (printed += part));
  await waitUntil(
    `${name} has printed ${line}`,
    () => printed,
    (lines) => line.test(lines),
  );
  child.kill();
  await once(child, "close");
}

function start(program: string, args: string[], variables: Record<string, string> = {}) {
  const env = { ...process.env, FLEET_URL: system.baseUrl, FLEET_HASH: account.hash, ...variables };
  return spawn(program, args, { cwd: folder, env });
}
