import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LocalWorkers } from "../../scripts/system/miniflare.ts";
import { accountsOn, type Reply } from "../tool/call/account.ts";
import { newTicket } from "../tool/call/uploads.ts";
import { type LocalInstallation, newLocalInstallation } from "../tool/installation/local-workers.ts";
import { memoryOf } from "../tool/system/isolate-memory.ts";
import { waitUntil } from "../tool/wait.ts";

// Its garbage is collected here, and its uploads are never ended: the Workers are its own.
const LARGEST = 16 * 1024 * 1024;
const PART_BYTES = 5 * 1024 * 1024;
const MAX_BYTES = 64_000_000;
/** After so many equal readings of its memory the Worker takes in no more. */
const SAME_READS = 30;
let installation: LocalInstallation;
let workers: LocalWorkers;

beforeAll(async () => {
  installation = await newLocalInstallation();
  workers = await installation.start();
});

afterAll(async () => {
  await workers?.stop();
  await installation?.remove();
});

test("eight files of 16 MB that come in at once, and twelve beginnings, hold less than 64 MB of their Worker's memory", async () => {
  const { newAccount, operator } = accountsOn(installation);
  const limits = { file_bytes: 20 * LARGEST };
  const tickets: Reply[] = [];
  // An account has parts of three files in memory at a time.
  for (let count = 0; count < 4; count++) {
    const account = await newAccount();
    await operator.must("/panel/user/update", { user_id: account.id, limits });
    for (let file = 0; file < 5; file++) tickets.push(await newTicket(account, { size: LARGEST }));
  }
  const memory = await memoryOf("fleet-files", installation.inspectorPort);
  const before = await memory.bytes();
  const senders = tickets.map(sendBeginning);
  // The Worker holds what it took in of eight files until their parts are full and can go to the bucket.
  const reads: number[] = [];
  const lastReads = async () => {
    reads.push(await memory.bufferBytes());
    return reads.slice(-SAME_READS);
  };
  const areSame = ([first = 0, ...rest]: number[]) =>
    first > 8 * PART_BYTES && rest.length === SAME_READS - 1 && rest.every((bytes) => bytes === first);
  await waitUntil("the Worker takes in no more", lastReads, areSame);
  const held = (await memory.liveBytes()) - before;
  expect(held).toBeGreaterThan(8 * PART_BYTES - 1_000_000);
  expect(held).toBeLessThan(MAX_BYTES);
  for (const sender of senders) sender.destroy();
  memory.close();
});

/** Sends of a form the fields and a little less of the content than one part, and no more. */
function sendBeginning({ url, fields }: Reply) {
  const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"`;
  const form = `${part("token")}\r\n\r\n${fields.token}\r\n${part("file")}; filename="a"\r\n\r\n`;
  const type = "Content-Type: multipart/form-data; boundary=b";
  const length = `Content-Length: ${form.length + LARGEST}`;
  const sender = connect(installation.port, "127.0.0.1").on("error", () => undefined);
  sender.write(`POST ${new URL(url).pathname} HTTP/1.1\r\nHost: x\r\n${type}\r\n${length}\r\n\r\n${form}`);
  sender.write(Buffer.alloc(PART_BYTES - 1000));
  return sender;
}
