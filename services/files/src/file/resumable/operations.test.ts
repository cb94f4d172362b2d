import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { Upload } from "tus-js-client";
import { expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { type Account, newAccount, type Reply, sharedAccount } from "#test/tool/call/account.ts";
import { newTicket, upload } from "#test/tool/call/uploads.ts";
import { PNG } from "#test/tool/document/png.ts";
import { stack } from "#test/tool/system/stack.ts";
import { waitUntil } from "#test/tool/wait.ts";

const LARGEST = 16 * 1024 * 1024;
const TUS = { "Tus-Resumable": "1.0.0" };
const MIB = 1024 * 1024;

test("a tus client uploads with a ticket, is cut off in the middle and resumes from there", async () => {
  const account = await newAccount();
  const ticket = await newTicket(account, { size: LARGEST, filename: "film.bin" });
  const content = randomBytes(LARGEST);
  const network = await badNetwork(9 * MIB);
  const offsets: number[] = [];
  await new Promise<void>((resolve, reject) => {
    const sending = new Upload(content, {
      uploadUrl: `${ticket.url.replace(stack.origin, network.origin)}?token=${ticket.fields.token}`,
      retryDelays: [2000, 2000, 5000],
      onBeforeRequest: (request) => {
        if (request.getMethod() === "PATCH") offsets.push(Number(request.getHeader("Upload-Offset")));
      },
      onError: reject,
      onSuccess: () => resolve(),
    });
    sending.start();
  }).finally(() => network.close());
  const [first, ...resumed] = offsets;
  expect(first).toBe(0);
  expect(resumed.length).toBeGreaterThan(0);
  for (const offset of resumed) expect(offset).toBeGreaterThan(MIB);

  const file = await readFile(account, ticket);
  expect(file).toMatchObject({ state: "uploaded", size: LARGEST, name: "film.bin" });
  const held = Buffer.from(await (await fetch(file?.download_url ?? "")).arrayBuffer());
  expect(held.equals(content)).toBe(true);
  await waitUntilOneObject(ticket);
  expect(await offsetOf(ticket)).toBe(LARGEST);
});

test("a resumable upload takes parts one behind the other, and its last byte completes the file", async () => {
  const account = await sharedAccount();
  const ticket = await newTicket(account, { size: 11 });
  const before = systemNow();
  const first = await patch(ticket, 0, "hello");
  expect([first.status, first.headers.get("Upload-Offset")]).toEqual([204, "5"]);
  expect(Date.parse(first.headers.get("Upload-Expires") ?? "")).toBeGreaterThan(before + 23 * 3_600_000);
  const head = await ask(ticket, "HEAD");
  expect(
    ["Upload-Offset", "Upload-Length", "Tus-Resumable", "Cache-Control"].map((name) => head.headers.get(name)),
  ).toEqual(["5", "11", "1.0.0", "no-store"]);
  // A repeated part, and one behind a gap.
  for (const offset of [0, 4, 6]) expect(await refusalOf(await patch(ticket, offset, "x"))).toEqual([409, 269]);
  expect((await patch(ticket, 5, "")).headers.get("Upload-Offset")).toBe("5");
  expect((await patch(ticket, 5, " world")).headers.get("Upload-Offset")).toBe("11");
  expect(await contentOf(account, ticket)).toBe("hello world");
  // A client that lost the last answer asks for the offset, or uploads the whole content again.
  expect((await ask(ticket, "HEAD")).headers.get("Upload-Offset")).toBe("11");
  expect((await patch(ticket, 11, "")).status).toBe(204);
  expect(await refusalOf(await patch(ticket, 11, "x"))).toEqual([409, 269]);
  expect((await upload(ticket, new File(["hello world"], "a.txt"))).success).toBe(true);
  await waitUntilOneObject(ticket);
});

test("a resumable upload of hundreds of small parts is one content, and joins parts during the upload", async () => {
  const account = await sharedAccount();
  const content = randomBytes(150).toString("hex");
  const ticket = await newTicket(account, { size: content.length });
  for (let offset = 0; offset < content.length; offset += 2) {
    expect((await patch(ticket, offset, content.slice(offset, offset + 2))).status).toBe(204);
    if (offset > 140 && offset % 40 === 0) {
      expect((await stack.objects(`upload/${ticket.file_id}/`)).length).toBeLessThan(70);
    }
  }
  expect(await contentOf(account, ticket)).toBe(content);
});

test("thirty slow attempts with one ticket block no other upload: the newest goes on, all others end with 423", async () => {
  const [account, other] = [await newAccount(), await newAccount()];
  const ticket = await newTicket(account, { size: LARGEST });
  const attempts = Array.from({ length: 30 }, () => slowPatch(ticket));
  const otherTicket = await newTicket(other, { size: 3 * MIB });
  expect((await patch(otherTicket, 0, randomBytes(3 * MIB))).status).toBe(204);
  const statuses = () => attempts.map(({ status }) => status()).filter((status) => status !== undefined);
  await expect.poll(() => statuses().length, PATIENT).toBeGreaterThanOrEqual(29);
  // Attempts find the byte that the first one stored, or are ended.
  for (const status of statuses()) expect([409, 423]).toContain(status);
  for (const { close } of attempts) close();
});

test("a resumable upload whose connection hangs goes on over a new connection from where the bytes end that came", async () => {
  const account = await sharedAccount();
  const ticket = await newTicket(account, { size: 6 });
  const hanging = slowPatch(ticket, "abc");
  await expect.poll(async () => (await readFile(account, ticket))?.state, PATIENT).toBe("in_progress");
  // The bytes of the hanging attempt are stored when the new one ends it: its client asks for the offset again.
  const answer = await patch(ticket, 0, "abcdef");
  expect([204, 409]).toContain(answer.status);
  if (answer.status === 409) {
    const offset = await offsetOf(ticket);
    expect((await patch(ticket, offset, "abcdef".slice(offset))).status).toBe(204);
  }
  expect(await contentOf(account, ticket)).toBe("abcdef");
  hanging.close();
});

test("a resumable upload refuses a part whose checksum is wrong with 460, and does not count it", async () => {
  const account = await sharedAccount();
  const ticket = await newTicket(account, { size: 10 });
  const sumOf = (algorithm: string, text: string) =>
    `${algorithm} ${createHash(algorithm).update(text).digest("base64")}`;
  expect((await patch(ticket, 0, "hello", { "Upload-Checksum": sumOf("sha1", "hallo") })).status).toBe(460);
  expect(await offsetOf(ticket)).toBe(0);
  expect((await patch(ticket, 0, "hello", { "Upload-Checksum": sumOf("sha1", "hello") })).status).toBe(204);
  expect(await refusalOf(await patch(ticket, 5, "world", { "Upload-Checksum": "crc32 AAAA" }))).toEqual([400, 5]);
  expect((await patch(ticket, 5, "world", { "Upload-Checksum": sumOf("sha256", "world") })).status).toBe(204);
  expect(await contentOf(account, ticket)).toBe("helloworld");
});

test("a resumable upload beyond the reserved size is 271, with or without a declared length, and counts no byte of it", async () => {
  const ticket = await newTicket(await sharedAccount(), { size: 10 });
  expect(await refusalOf(await patch(ticket, 0, "x".repeat(11)))).toEqual([413, 271]);
  const body = new Blob(["x".repeat(11)]).stream();
  expect(await refusalOf(await patch(ticket, 0, body))).toEqual([413, 271]);
  expect(await offsetOf(ticket)).toBe(0);
  expect((await patch(ticket, 0, "x".repeat(10))).status).toBe(204);
});

test("a resumable upload of type image answers 234 to other content with its last byte, and its ticket takes a new one", async () => {
  const account = await sharedAccount();
  const ticket = await newTicket(account, { size: PNG.length, type: "image" });
  expect(await refusalOf(await patch(ticket, 0, Buffer.alloc(PNG.length)))).toEqual([400, 234]);
  expect(await offsetOf(ticket)).toBe(0);
  expect((await patch(ticket, 0, PNG)).status).toBe(204);
  expect((await readFile(account, ticket))?.mime_type).toBe("image/png");
});

test("a resumable upload needs the token (11), the protocol version (412) and the content type (415)", async () => {
  const [ticket, other] = [await newTicket(await sharedAccount()), await newTicket(await sharedAccount())];
  for (const token of ["", "x", other.fields.token]) {
    const wrong = { ...ticket, fields: { token } };
    expect(await refusalOf(await patch(wrong, 0, "x"))).toEqual([403, 11]);
    for (const method of ["HEAD", "DELETE"]) expect((await ask(wrong, method)).status).toBe(403);
  }
  for (const method of ["HEAD", "PATCH", "DELETE"]) {
    const answer = await ask(ticket, method, { "Tus-Resumable": "0.2.2" });
    expect([answer.status, answer.headers.get("Tus-Version")]).toEqual([412, "1.0.0"]);
  }
  expect(await refusalOf(await patch(ticket, 0, "x", { "Content-Type": "text/plain" }))).toEqual([415, 5]);
  expect(await refusalOf(await patch(ticket, -1, "x"))).toEqual([400, 5]);
  const header = { Authorization: `Bearer ${ticket.fields.token}` };
  expect((await fetch(ticket.url, { method: "HEAD", headers: { ...TUS, ...header } })).status).toBe(200);
});

test("a ticket that is deleted frees its reserved size and takes nothing more; a used ticket cannot be deleted (269)", async () => {
  const account = await newAccount();
  const [ticket, used] = [await newTicket(account, { size: 500 }), await newTicket(account, { size: 4 })];
  await patch(ticket, 0, "some");
  expect((await ask(ticket, "DELETE")).status).toBe(204);
  expect(await refusalOf(await ask(ticket, "DELETE"))).toEqual([404, 204]);
  expect(await refusalOf(await patch(ticket, 4, "more"))).toEqual([404, 204]);
  expect((await ask(ticket, "HEAD")).status).toBe(404);
  await patch(used, 0, "four");
  expect(await refusalOf(await ask(used, "DELETE"))).toEqual([400, 269]);
  expect((await account.must("/file/stats/read")).value).toMatchObject({ file_count: 1, total_size: 4 });
  await stack.fireCron("files");
  expect(await stack.objects(`upload/${ticket.file_id}/`)).toEqual([]);
});

test("a resumable upload answers preflights of pages of any origin and lets them read its offset", async () => {
  const ticket = await newTicket(await sharedAccount());
  const preflight = { Origin: "https://app.example", "Access-Control-Request-Method": "PATCH" };
  const { headers, status } = await fetch(ticket.url, { method: "OPTIONS", headers: preflight });
  expect(status).toBe(204);
  expect(headers.get("Access-Control-Allow-Methods")).toContain("PATCH");
  for (const name of ["Tus-Resumable", "Upload-Offset", "Upload-Checksum", "Content-Type", "Authorization"]) {
    expect(headers.get("Access-Control-Allow-Headers")).toContain(name);
  }
  expect(Object.fromEntries(headers)).toMatchObject({
    "tus-version": "1.0.0",
    "tus-extension": "checksum,expiration,termination",
    "tus-max-size": String(LARGEST),
  });
  const head = await ask(ticket, "HEAD", { Origin: "https://app.example" });
  for (const name of ["Upload-Offset", "Upload-Length", "Tus-Resumable", "Upload-Expires", "Location"]) {
    expect(head.headers.get("Access-Control-Expose-Headers")).toContain(name);
  }
});

const PATIENT = { timeout: 120_000, interval: 100 };

/** Sends the beginning of a part and no more; `status` is that of the answer, once there is one. */
function slowPatch({ url, fields }: Ticket, beginning = "x") {
  const { host, hostname, port, pathname } = new URL(url);
  const headers = [
    `PATCH ${pathname}?token=${fields.token} HTTP/1.1`,
    ...[`Host: ${host}`, "Tus-Resumable: 1.0.0", "Content-Type: application/offset+octet-stream"],
    ...["Upload-Offset: 0", "Content-Length: 6"],
  ];
  const socket = connect(Number(port), hostname);
  let answer = "";
  socket.on("data", (bytes) => {
    answer += bytes;
  });
  let isClosed = false;
  socket
    .on("error", () => undefined)
    .on("close", () => {
      isClosed = true;
    });
  socket.write(`${headers.join("\r\n")}\r\n\r\n${beginning}`);
  return {
    status: () => (answer ? Number(answer.split(" ")[1]) : isClosed ? 423 : undefined),
    close: () => socket.destroy(),
  };
}

type Ticket = { file_id: number; url: string; fields: { token?: string } };

function ask({ url, fields }: Ticket, method: string, headers: Record<string, string> = {}) {
  return fetch(`${url}?token=${fields.token}`, { method, headers: { ...TUS, ...headers } });
}

function patch({ url, fields }: Ticket, offset: number, body: BodyInit, headers: Record<string, string> = {}) {
  const content = { "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(offset) };
  const sent = { method: "PATCH", body, headers: { ...TUS, ...content, ...headers }, duplex: "half" };
  return fetch(`${url}?token=${fields.token}`, sent);
}

async function offsetOf(ticket: Ticket) {
  return Number((await ask(ticket, "HEAD")).headers.get("Upload-Offset"));
}

async function refusalOf(answer: Response) {
  return [answer.status, ((await answer.json()) as Reply).status.code];
}

async function readFile(account: Account, { file_id }: Ticket) {
  const [file] = await stack.filesOf({ account_id: account.id, ids: [file_id], base_url: stack.baseUrl });
  return file;
}

/** A proxy that cuts one connection off after a number of bytes. */
async function badNetwork(cutAfter: number) {
  const { hostname, port } = new URL(stack.origin);
  let isCut = false;
  const server = createServer((client) => {
    const target = connect(Number(port), hostname);
    const cut = () => [client, target].map((socket) => socket.destroy());
    let passed = 0;
    client.on("data", (bytes) => {
      passed += bytes.length;
      if (isCut || passed < cutAfter) return;
      isCut = true;
      cut();
    });
    for (const socket of [client, target]) socket.on("error", cut).on("close", cut);
    client.pipe(target).pipe(client);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (typeof address === "string" || !address) throw new Error("A TCP server has a port.");
  return { origin: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}

async function contentOf(account: Account, ticket: Ticket) {
  return (await fetch((await readFile(account, ticket))?.download_url ?? "")).text();
}

/** Parts of an upload are removed once they are joined. */
function waitUntilOneObject(ticket: Reply) {
  const objects = () => stack.objects(`upload/${ticket.file_id}/`);
  return waitUntil("the file is the only object of its upload", objects, ({ length }) => length === 1);
}
