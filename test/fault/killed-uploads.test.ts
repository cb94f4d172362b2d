import { randomBytes, randomInt } from "node:crypto";
import { globSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { createClient as openFile } from "@libsql/client/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LocalWorkers } from "../../scripts/system/miniflare.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { type Account, accountsOn, type Reply } from "../tool/call/account.ts";
import { newTicket, upload } from "../tool/call/uploads.ts";
import { turnedPhoto } from "../tool/document/pictures.ts";
import { effort } from "../tool/effort.ts";
import { watchRuntimes } from "../tool/installation/killed-runtime.ts";
import { type LocalInstallation, newLocalInstallation } from "../tool/installation/local-workers.ts";
import { waitUntil } from "../tool/wait.ts";

const KILLS = effort({ few: 1, many: 30 });
const TUS = { "Tus-Resumable": "1.0.0" };
/** Sizes that are stored in one part and in two; resumable uploads send them in pieces. */
const SIZES = [300_000, 5_500_000, 4_500_000, 3_000_000];
/** The last of the senders sends photographs, whose previews are made while the next comes in. */
const PHOTO_SIZE = turnedPhoto(6).byteLength + 16;

type Sending = { ticket: Reply; content: Buffer; resumable: boolean; acknowledged: number; address?: string };

const runtimes = watchRuntimes();
let installation: LocalInstallation;
let workers: LocalWorkers;
let account: Account;

beforeAll(async () => {
  installation = await newLocalInstallation();
  workers = await installation.start();
  account = await accountsOn(installation).newAccount();
});

afterAll(() => installation?.remove());

test("kill -9 of workerd loses no acknowledged part of an upload, and bucket and database agree after a sweep", async () => {
  const all: Sending[] = [];
  let isOver = false;
  const senders = [...SIZES, PHOTO_SIZE].map(async (size, sender) => {
    while (!isOver) {
      const sent = await newContent(size, sender % 2 === 1).catch(() => undefined);
      if (sent) all.push(sent);
      // Now and then one is left as it is.
      while (sent && !isOver && !sent.address && randomInt(8) > 0) await send(sent).catch(untilBack);
      if (!sent) await untilBack();
    }
  });
  for (let kill = 0; kill < KILLS; kill++) {
    // At another step of the uploads each time.
    for (let calls = randomInt(40); calls > 0; calls--) await account.call("/base/nothing").catch(() => undefined);
    await runtimes.killAndWait(installation);
  }
  const stored = () => all.filter(({ address }) => address).length;
  await waitUntil("five uploads are stored", stored, (count) => count >= 5);
  isOver = true;
  await Promise.all(senders);
  const open = all.filter(({ address }) => !address);
  // Senders without an answer go on; a few never come back.
  for (const sent of open.slice(3)) {
    await waitUntil("an upload that was cut off is stored", () => send(sent).then(() => sent.address));
  }
  const done = all.filter(({ address }) => address);
  for (const { address = "", content } of done) {
    const held = Buffer.from(await (await fetch(address)).arrayBuffer());
    expect(held.equals(content)).toBe(true);
  }

  await forget(done.find(({ content }) => content.byteLength !== PHOTO_SIZE));
  await workers.stop();
  // Eleven minutes later no upload that was cut off counts as under way.
  workers = await installation.start({ CLOCK_OFFSET_SECONDS: "660" });
  await workers.fireCrons(new Date());
  await waitUntil("every photo has its previews", arePreviewed);
  const rows = await storedRows();
  await workers.stop();
  const keys = await objects();
  const isPieceOf = (key: string, id: unknown) => key.startsWith(`upload/${id}/pieces/`);
  const previewed = rows.filter(({ preview_state }) => preview_state === "made");
  expect(previewed).not.toEqual([]);
  const photos = rows.filter(({ state, mime_type }) => state === "uploaded" && mime_type === "image/jpeg");
  expect(previewed).toEqual(photos);
  const previews = previewed.flatMap(({ id }) => [800, 200].map((side) => `upload/${id}/preview-${side}.jpg`));
  expect(keys.filter((key) => key.includes("/preview-")).toSorted()).toEqual(previews.toSorted());
  const unknown = keys.filter(
    (key) =>
      !previews.includes(key) &&
      !rows.some(({ id, key: own, state }) => key === own || (state === "in_progress" && isPieceOf(key, id))),
  );
  expect(unknown).toEqual([]);
  const lost = rows.filter(({ state, key }) => state === "uploaded" && !keys.includes(String(key)));
  expect(lost).toEqual([]);
  const idle = rows.filter(({ id, state }) => state === "in_progress" && !keys.some((key) => isPieceOf(key, id)));
  expect(idle).toEqual([]);
});

/** Waits for the restart instead of calling again and again, which would slow it down. */
function untilBack() {
  return waitUntil("the gateway answers", () => fetch(installation.origin).then(() => true));
}

async function newContent(size: number, resumable: boolean): Promise<Sending> {
  const ticket = await newTicket(account, { size });
  // Bytes behind a picture do not belong to it.
  const parts =
    size === PHOTO_SIZE ? [turnedPhoto(6), randomBytes(16)] : [randomBytes(1000), Buffer.alloc(size - 1000)];
  return { ticket, content: Buffer.concat(parts), resumable, acknowledged: 0 };
}

/** Sends the content; a successful answer gives the address of the stored file. */
async function send(sent: Sending) {
  if (sent.resumable) return resume(sent);
  const { success, value } = await upload(sent.ticket, new File([sent.content], "a.bin"));
  if (success) sent.address = value.download_url;
}

/** Resumes like a client that lost its connection: asks for the offset and continues from there. */
async function resume(sent: Sending) {
  const { ticket, content } = sent;
  const url = `${ticket.url}?token=${ticket.fields.token}`;
  const head = await fetch(url, { method: "HEAD", headers: TUS });
  if (head.status !== 200) return;
  const offset = Number(head.headers.get("Upload-Offset"));
  expect(offset).toBeGreaterThanOrEqual(sent.acknowledged);
  sent.acknowledged = offset;
  if (offset === content.length) {
    // An upload with the same content answers where its object is.
    const { value } = await upload(ticket, new File([content], "a.bin"));
    sent.address = value.download_url;
    return;
  }
  const headers = { ...TUS, "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(offset) };
  const body = content.subarray(offset, offset + randomInt(200_000, 3_000_000));
  const answer = await fetch(url, { method: "PATCH", headers, body: new Uint8Array(body) });
  if (answer.status === 204) sent.acknowledged = Number(answer.headers.get("Upload-Offset"));
}

/** Restores the state of Workers killed after the object was stored but before the database recorded it. */
async function forget(sent: Sending | undefined) {
  const later = systemNow() + 600_000;
  const before = `state = 'in_progress', key = NULL, uploaded = NULL, expires = ${2 * later}, cleanup_due = ${later}`;
  await execute(`UPDATE file SET ${before} WHERE id = ${sent?.ticket.file_id}`);
}

function storedRows() {
  return execute("SELECT id, state, key, mime_type, preview_state FROM file");
}

async function arePreviewed() {
  const waiting = await execute("SELECT id FROM file WHERE state = 'uploaded' AND preview_state = 'waiting'");
  if (waiting.length > 0) await workers.fireCrons(new Date());
  return waiting.length === 0;
}

async function execute(sql: string) {
  const { url, token } = installation.servers.files;
  const client = createClient({ url, authToken: token });
  const { rows } = await client.execute(sql);
  client.close();
  return rows;
}

/** The keys in the bucket, from the file in which the local runtime keeps them. */
async function objects() {
  const keys: string[] = [];
  for (const file of globSync(join(installation.folder, "workers", "**", "*.sqlite")).filter((name) =>
    name.includes("r2"),
  )) {
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
