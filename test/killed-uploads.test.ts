import { randomBytes, randomInt } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import { globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "@libsql/client";
import { createClient as openFile } from "@libsql/client/node";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { applyMigrations } from "../scripts/apply-migrations.ts";
import { bundleChanged } from "../scripts/bundle.ts";
import { type LocalWorkers, startWorkers } from "../scripts/miniflare.ts";
import { insertFirstOperator } from "../scripts/operator.ts";
import { newSecrets } from "../scripts/secrets.ts";
import { type Databases, freePorts, startDatabases } from "../scripts/sqld.ts";
import { forEachWorker, migrationsOf } from "../scripts/workers.ts";
import { type Account, accountsOn, type Reply } from "./account.ts";
import { OPERATOR } from "./system.ts";
import { newTicket, upload } from "./uploads.ts";

const KILLS = 30;
const ENVIRONMENT = { PASSWORD_COST: "16", LOCAL_RUN: "1", RATE_LIMIT_PER_SECOND: "100000" };
const TUS = { "Tus-Resumable": "1.0.0" };
/** Some in one part, some in two; those that go on where they were are sent in pieces. */
const SIZES = [300_000, 5_500_000, 4_500_000, 3_000_000];

type Sending = { ticket: Reply; content: Buffer; resumable: boolean; acknowledged: number; address?: string };

const secrets = newSecrets();
const runtimes: number[] = [];
let folder: string;
let port: number;
let databases: Databases;
let workers: LocalWorkers;
let account: Account;

beforeAll(async () => {
  process.env.RATE_LIMIT_PER_ADDRESS = "1000000";
  watchRuntimes();
  folder = await mkdtemp(join(tmpdir(), "fleet-killed-"));
  [databases] = await Promise.all([startDatabases(join(folder, "databases"), {}), bundleChanged()]);
  await forEachWorker((worker) => applyMigrations(migrationsOf(worker), databases.servers[worker]));
  await insertFirstOperator(databases.servers.gateway, OPERATOR, ENVIRONMENT);
  [port = 0] = await freePorts(1);
  await startOn({});
  account = await accountsOn({ baseUrl: baseUrl() }).newAccount();
});

afterAll(async () => {
  await databases?.stop();
  await rm(folder, { recursive: true, force: true });
});

test("whenever the Workers are killed, what was acknowledged is kept, and bucket and database agree after a sweep", async () => {
  const all: Sending[] = [];
  let isOver = false;
  const senders = SIZES.map(async (size, sender) => {
    while (!isOver) {
      const sent = await newContent(size, sender % 2 === 1).catch(() => undefined);
      if (sent) all.push(sent);
      // Now and then one is left as it is.
      while (sent && !isOver && !sent.address && randomInt(8) > 0) await send(sent).catch(resting);
      if (!sent) await resting();
    }
  });
  for (let kill = 0; kill < KILLS; kill++) {
    await pause(randomInt(400));
    await killAndWait();
  }
  isOver = true;
  await Promise.all(senders);
  const open = all.filter(({ address }) => !address);
  // Whoever had no answer goes on; a few never come back.
  for (const sent of open.slice(3))
    await vi.waitUntil(
      () =>
        send(sent).then(
          () => sent.address,
          () => false,
        ),
      PATIENT,
    );
  const done = all.filter(({ address }) => address);
  expect(done.length).toBeGreaterThan(4);
  for (const { address = "", content } of done) {
    const held = Buffer.from(await (await fetch(address)).arrayBuffer());
    expect(held.equals(content)).toBe(true);
  }

  await forget(done[0]);
  await workers.stop();
  // Nothing that was cut off is still under way then.
  await startOn({ CLOCK_OFFSET_SECONDS: "660" });
  await workers.fireCrons(new Date());
  const rows = await storedRows();
  await workers.stop();
  const keys = await objects();
  const isPieceOf = (key: string, id: unknown) => key.startsWith(`upload/${id}/pieces/`);
  const unknown = keys.filter(
    (key) => !rows.some(({ id, key: own, state }) => key === own || (state === "in_progress" && isPieceOf(key, id))),
  );
  expect(unknown).toEqual([]);
  const lost = rows.filter(({ state, key }) => state === "uploaded" && !keys.includes(String(key)));
  expect(lost).toEqual([]);
  const idle = rows.filter(({ id, state }) => state === "in_progress" && !keys.some((key) => isPieceOf(key, id)));
  expect(idle).toEqual([]);
}, 240_000);

const PATIENT = { timeout: 20_000, interval: 20 };

function baseUrl() {
  return `http://127.0.0.1:${port}/api-v2`;
}

async function startOn(environment: Record<string, string>) {
  const given = { ...ENVIRONMENT, PUBLIC_URL: `http://127.0.0.1:${port}`, ...environment };
  workers = await startWorkers({ host: "127.0.0.1", port }, databases.servers, secrets, folder, given);
}

async function killAndWait() {
  const pid = runtimes.pop();
  if (pid === undefined) throw new Error("workerd is not known");
  process.kill(pid, "SIGKILL");
  await vi.waitUntil(() => runtimes.length > 0 && answers(), PATIENT);
}

function answers() {
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );
}

/** A restart needs the processor more than whoever waits for it. */
function resting() {
  return pause(150);
}

async function newContent(size: number, resumable: boolean): Promise<Sending> {
  const ticket = await newTicket(account, { size });
  return { ticket, content: Buffer.concat([randomBytes(1000), Buffer.alloc(size - 1000)]), resumable, acknowledged: 0 };
}

/** Until it is stored, as far as its sender knows. */
async function send(sent: Sending) {
  if (sent.resumable) return resume(sent);
  const { success, value } = await upload(sent.ticket, new File([sent.content], "a.bin"));
  if (success) sent.address = value.download_url;
}

/** As a client does that lost its connection: asks how far it is, and goes on from there. */
async function resume(sent: Sending) {
  const { ticket, content } = sent;
  const url = `${ticket.url}?token=${ticket.fields.token}`;
  const head = await fetch(url, { method: "HEAD", headers: TUS });
  if (head.status !== 200) return;
  const offset = Number(head.headers.get("Upload-Offset"));
  expect(offset).toBeGreaterThanOrEqual(sent.acknowledged);
  sent.acknowledged = offset;
  if (offset === content.length) {
    // Of the same content, its answer says where it is.
    const { value } = await upload(ticket, new File([content], "a.bin"));
    sent.address = value.download_url;
    return;
  }
  const headers = { ...TUS, "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(offset) };
  const body = content.subarray(offset, offset + randomInt(200_000, 3_000_000));
  const answer = await fetch(url, { method: "PATCH", headers, body: new Uint8Array(body) });
  if (answer.status === 204) sent.acknowledged = Number(answer.headers.get("Upload-Offset"));
}

/** As if the Workers had been killed when it was in the bucket and nobody had noted it yet. */
async function forget(sent: Sending | undefined) {
  const later = Date.now() + 600_000;
  const before = `state = 'in_progress', key = NULL, uploaded = NULL, expires = ${2 * later}, look_at = ${later}`;
  await execute(`UPDATE file SET ${before} WHERE id = ${sent?.ticket.file_id}`);
}

function storedRows() {
  return execute("SELECT id, state, key FROM file");
}

async function execute(sql: string) {
  const { url, token } = databases.servers.files;
  const client = createClient({ url, authToken: token });
  const { rows } = await client.execute(sql);
  client.close();
  return rows;
}

/** The keys in the bucket, from the file in which the local runtime keeps them. */
async function objects() {
  const keys: string[] = [];
  for (const file of globSync(join(folder, "workers", "**", "*.sqlite")).filter((name) => name.includes("r2"))) {
    const client = openFile({ url: `file:${file}` });
    const tables = await client.execute("SELECT name FROM sqlite_master WHERE name = '_mf_objects'");
    if (tables.rows.length > 0) {
      const { rows } = await client.execute("SELECT key FROM _mf_objects");
      keys.push(...rows.map(({ key }) => String(key)));
    }
    client.close();
  }
  return keys.filter((key) => key.startsWith("upload/"));
}

function watchRuntimes() {
  subscribe("child_process", (message) => {
    const { process: child } = message as { process: import("node:child_process").ChildProcess }; // as Node documents it
    child.once("spawn", () => {
      if (basename(child.spawnfile).startsWith("workerd")) runtimes.push(child.pid ?? 0);
    });
  });
}
