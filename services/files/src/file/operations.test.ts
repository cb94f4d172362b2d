import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { type Account, newAccount, operator, type Reply, sharedAccount } from "#test/tool/call/account.ts";
import { newTicket, untilInProgress, upload, uploadInTwo } from "#test/tool/call/uploads.ts";
import { PNG } from "#test/tool/document/png.ts";
import { stack } from "#test/tool/system/stack.ts";
import { waitUntil } from "#test/tool/wait.ts";

const LARGEST = 16 * 1024 * 1024;
const codeOf = ({ success, status }: Reply) => (success ? undefined : status.code);
const statsOf = async (account: Account) => (await account.must("/file/stats/read")).value;
const bytesOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());
const tryTicket = (account: Account, size: number): Promise<Reply> =>
  account.call("/vehicle/service_task/file/create", { size });

test("an upload of the largest size comes back byte for byte; more than the limit or the reserved size is 271 and not stored", async () => {
  const account = await newAccount();
  expect(codeOf(await tryTicket(account, LARGEST + 1))).toBe(271);
  for (const size of [0, -1, 1.5]) expect(codeOf(await tryTicket(account, size))).toBe(7);
  const ticket = await newTicket(account, {
    size: LARGEST,
    filename: "rapport d'été.bin",
    metadata: { orientation: 1 },
  });
  const content = randomBytes(LARGEST);
  expect(ticket).toMatchObject({ url: `${stack.baseUrl}/file/upload/${ticket.file_id}`, file_field_name: "file" });
  expect(Object.keys(ticket.fields)).toEqual(["token"]);
  expect(codeOf(await upload(ticket, new File([content, "x"], "a.bin")))).toBe(271);
  expect(await stack.objects(`upload/${ticket.file_id}/`)).toEqual([]);

  const { value } = await upload(ticket, new File([content], "a.bin"));
  expect(value).toMatchObject({ id: ticket.file_id, size: LARGEST, name: "rapport d'été.bin" });
  expect((await bytesOf(value.download_url)).equals(content)).toBe(true);
  const part = await fetch(value.download_url, { headers: { Range: "bytes=5242870-5242889" } });
  expect(part.status).toBe(206);
  expect(part.headers.get("Content-Range")).toBe(`bytes 5242870-5242889/${LARGEST}`);
  expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(5242870, 5242890))).toBe(true);
  expect(await statsOf(account)).toMatchObject({ file_count: 1, total_size: LARGEST });
});

test("photographs uploaded at once have their orientation as soon as they are uploaded, also one of several parts", async () => {
  const account = await newAccount();
  const photo = readFileSync("test/fixtures/exif/Landscape_6.jpg");
  const photos = [Buffer.concat([photo, Buffer.alloc(6_000_000)]), ...Array.from({ length: 7 }, () => photo)];
  const orientations = await Promise.all(
    photos.map(async (content) => {
      const ticket = await newTicket(account, { size: content.byteLength, metadata: { note: "kept" } });
      await upload(ticket, new File([content], "a.jpg"));
      const search = { account_id: account.id, ids: [ticket.file_id], base_url: stack.baseUrl };
      return (await stack.filesOf(search)).map(({ metadata }) => metadata);
    }),
  );
  expect(orientations).toEqual(photos.map(() => [{ note: "kept", orientation: 6 }]));
});

test("a file download has an ETag, may be cached by its browser alone, and is not shown inline unless it is an image", async () => {
  const account = await sharedAccount();
  const ticket = await newTicket(account, { filename: "été.html" });
  const { value } = await upload(ticket, new File(["<script>1</script>"], "a.html", { type: "text/html" }));
  const whole = await fetch(value.download_url);
  expect(await whole.text()).toBe("<script>1</script>");
  const kept = { "cache-control": "private", "x-content-type-options": "nosniff", "access-control-allow-origin": "*" };
  expect(Object.fromEntries(whole.headers)).toMatchObject({ ...kept, "content-type": "text/html" });
  expect(whole.headers.get("Content-Disposition")).toContain("filename*=UTF-8''%C3%A9t%C3%A9.html");
  const again = await fetch(value.download_url, { headers: { "If-None-Match": whole.headers.get("ETag") ?? "" } });
  expect([again.status, await again.text(), again.headers.get("ETag")]).toEqual([304, "", whole.headers.get("ETag")]);
  const head = await fetch(value.download_url, { method: "HEAD" });
  expect([head.status, head.headers.get("ETag"), await head.text()]).toEqual([200, whole.headers.get("ETag"), ""]);
  const ranges = ["bytes=-4", "bytes=9-", "bytes=14-99999999", "lines=1-2"];
  const parts = ranges.map(async (Range) => (await fetch(value.download_url, { headers: { Range } })).text());
  const all = "<script>1</script>";
  expect(await Promise.all(parts)).toEqual(["ipt>", all.slice(9), "ipt>", all]);

  const other = await newTicket(account);
  const token = value.download_url.split("/").at(7);
  for (const [id, shown] of [
    [ticket.file_id, `${token}x`],
    [other.file_id, token],
    [0, token],
  ]) {
    const answer = await fetch(`${stack.baseUrl}/file/download/${id}/${shown}/a.html`);
    expect([answer.status, codeOf((await answer.json()) as Reply)]).toEqual([404, 204]);
  }
  expect((await fetch(value.download_url, { method: "POST" })).status).toBe(400);
});

test("an upload of type image is recognized by its first bytes and shown inline; anything else is 234", async () => {
  const account = await sharedAccount();
  const ticket = await newTicket(account, { type: "image" });
  expect(codeOf(await upload(ticket, new File(["no image"], "a.png", { type: "image/png" })))).toBe(234);
  const long = `${"x".repeat(254)}😀.png`;
  const { value } = await upload(ticket, new File([PNG], long, { type: "application/octet-stream" }));
  expect(value).toMatchObject({ mime_type: "image/png", name: `${"x".repeat(254)}\ufffd` });
  const shown = await fetch(value.download_url);
  expect([shown.headers.get("Content-Type"), shown.headers.get("Content-Disposition")]).toEqual(["image/png", null]);
  const wrong = await account.call("/vehicle/service_task/file/create", { size: 1, type: "video" });
  expect([codeOf(wrong), wrong.errors[0].parameter]).toEqual([7, "type"]);
});

test("an upload needs its ticket's token (11), a file part (233) and a form (5); a used ticket is 269", async () => {
  const account = await sharedAccount();
  const [ticket, other] = [await newTicket(account), await newTicket(account)];
  const file = new File(["content"], "a.txt");
  const [header, terms, signature] = ticket.fields.token.split(".");
  const larger = { ...JSON.parse(Buffer.from(terms, "base64url").toString()), size: 9000 };
  const changed = [header, Buffer.from(JSON.stringify(larger)).toString("base64url"), signature].join(".");
  const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${terms}.`;
  for (const token of ["", "x", "a.b.c", changed, unsigned, other.fields.token]) {
    expect(codeOf(await upload({ ...ticket, fields: { token } }, file))).toBe(11);
  }
  expect(codeOf(await upload({ ...ticket, fields: {} }, file))).toBe(11);
  expect(codeOf(await upload(ticket))).toBe(233);
  expect(codeOf(await upload({ ...ticket, file_field_name: "another" }, file))).toBe(233);
  const post = async (body: string, type: string) => {
    const answer = await fetch(ticket.url, { method: "POST", body, headers: { "Content-Type": type } });
    return codeOf((await answer.json()) as Reply);
  };
  for (const body of ["", "{}", "--b", '--b\r\nContent-Disposition: form-data; name="token"\r\n\r\nx']) {
    expect(await post(body, "multipart/form-data; boundary=b")).toBe(5);
  }
  expect(await post("{}", "application/json")).toBe(5);
  const long = "x".repeat(3_000_000);
  expect(await post(long, "text/plain")).toBe(5);
  expect(await post(`--b\r\n${long}`, "multipart/form-data; boundary=b")).toBe(5);
  expect(await post("{}", "multipart/form-data")).toBe(5);

  // One of two concurrent uploads with different contents becomes the file.
  const contents = ["one", "two"];
  const replies = await Promise.all(contents.map((content) => upload(ticket, new File([content], "a.txt"))));
  expect(replies.map(codeOf).toSorted()).toEqual([269, undefined]);
  const won = replies.findIndex(({ success }) => success);
  expect((await bytesOf(replies[won].value.download_url)).toString()).toBe(contents[won]);
  expect(codeOf(await upload(ticket, file))).toBe(269);
  expect(await stack.objects(`upload/${ticket.file_id}/`)).toHaveLength(1);
});

test("a newer upload with the same ticket ends one that hangs in the middle: the newer is stored, the older gets 15", async () => {
  const account = await sharedAccount();
  const ticket = await newTicket(account);
  const newer = Promise.withResolvers<Reply>();
  const older = await uploadInTwo(ticket, [Buffer.from("old "), Buffer.from("content")], async () => {
    await untilInProgress(stack, account, ticket);
    upload(ticket, new File(["new content"], "a.txt")).then(newer.resolve, newer.reject);
    await newer.promise;
  });
  expect(codeOf(older)).toBe(15);
  const { value } = await newer.promise;
  expect((await bytesOf(value.download_url)).toString()).toBe("new content");
  expect(await stack.objects(`upload/${ticket.file_id}/`)).toHaveLength(1);
});

test("a refused upload has the HTTP status of its error: 403 without the token, 413 when too large, 400 without content", async () => {
  const ticket = await newTicket(await sharedAccount());
  const refusalOf = async (token: string, name: string, size: number) => {
    const body = new FormData();
    body.set("token", token);
    body.set(name, new File([Buffer.alloc(size)], "a.bin"));
    const answer = await fetch(ticket.url, { method: "POST", body });
    return [answer.status, codeOf((await answer.json()) as Reply)];
  };
  const { token } = ticket.fields;
  expect(await refusalOf("x", "file", 4)).toEqual([403, 11]);
  expect(await refusalOf(token, "file", 1001)).toEqual([413, 271]);
  expect(await refusalOf(token, "another", 4)).toEqual([400, 233]);
  expect(await refusalOf(token, "file", 1000)).toEqual([200, undefined]);
  expect(await refusalOf(token, "file", 4)).toEqual([400, 269]);
});

test("an upload that is repeated because its answer was lost gets the first answer and is stored once", async () => {
  const account = await newAccount();
  const ticket = await newTicket(account, { size: 6_000_000, filename: "plan.bin" });
  const content = randomBytes(6_000_000);
  const send = (bytes: Buffer, name = "a.bin") => upload(ticket, new File([bytes], name));
  const first = await send(content);
  expect(first.value).toMatchObject({ id: ticket.file_id, name: "plan.bin", size: content.length });
  expect(await Promise.all([send(content), send(content, "other.bin")])).toEqual([first, first]);
  expect(codeOf(await send(Buffer.concat([content.subarray(1), content.subarray(0, 1)])))).toBe(269);
  expect(codeOf(await send(content.subarray(1)))).toBe(269);
  expect(codeOf(await send(Buffer.alloc(6_000_001)))).toBe(271);
  expect(await stack.objects(`upload/${ticket.file_id}/`)).toHaveLength(1);
  expect(await statsOf(account)).toMatchObject({ file_count: 1, total_size: content.length });
  expect((await bytesOf(first.value.download_url)).equals(content)).toBe(true);

  // Concurrent uploads of the same content get the same answer, too.
  const other = await newTicket(account);
  const replies = await Promise.all([1, 2, 3, 4].map(() => upload(other, new File(["same"], "a.txt"))));
  expect(replies.map(codeOf)).toEqual([undefined, undefined, undefined, undefined]);
  expect(await stack.objects(`upload/${other.file_id}/`)).toHaveLength(1);
});

test("a file's state is created, then in_progress during the upload, and created again when the upload fails", async () => {
  const account = await sharedAccount();
  const ticket = await newTicket(account);
  const readNow = () => readFile(account, ticket);
  expect(await readNow()).toMatchObject({ state: "created", size: 1000, uploaded: null, download_url: null });
  const large = uploadInTwo(ticket, [Buffer.alloc(600), Buffer.alloc(600)], async () => {
    await untilInProgress(stack, account, ticket);
  });
  expect(codeOf(await large)).toBe(271);
  expect((await readNow())?.state).toBe("created");
  const { value } = await upload(ticket, new File(["four"], "a.txt"));
  expect(await readNow()).toMatchObject({ state: "uploaded", size: 4, download_url: value.download_url });
});

test("an upload without a known length that exceeds the reserved size is 271 and not stored", async () => {
  const ticket = await newTicket(await sharedAccount(), { size: 6_000_000 });
  const reply = await uploadInTwo(ticket, [randomBytes(5_900_000), randomBytes(100_001)], async () => undefined);
  expect(codeOf(reply)).toBe(271);
  expect(await stack.objects(`upload/${ticket.file_id}/`)).toEqual([]);
  const whole = await uploadInTwo(ticket, [randomBytes(5_900_000), randomBytes(100_000)], async () => undefined);
  expect(whole.value).toMatchObject({ size: 6_000_000 });
});

test("twenty file tickets that are asked for at once never reserve more than the account's limit", async () => {
  const account = await newAccount();
  await operator.must("/panel/user/update", { user_id: account.id, limits: { file_bytes: 10_000 } });
  const replies = await Promise.all(Array.from({ length: 20 }, () => tryTicket(account, 900)));
  expect(replies.filter(({ success }) => success)).toHaveLength(11);
  expect(replies.filter((reply) => codeOf(reply) === 268)).toHaveLength(9);
  expect(await statsOf(account)).toEqual({ file_count: 0, total_size: 9_900, quota: 10_000 });
});

test("auto_overwrite deletes the fewest oldest files that nothing refers to, and keeps those in use or open", async () => {
  const account = await newAccount();
  await operator.must("/panel/user/update", { user_id: account.id, limits: { file_bytes: 1000 } });
  const { id: tracker_id } = await account.newTracker();
  const { id: vehicle_id } = await account.must("/vehicle/create", { vehicle: { label: "Van", tracker_id } });
  const store = async (size: number) => {
    const ticket = await newTicket(account, { size });
    const { value } = await upload(ticket, new File([Buffer.alloc(size)], "a.bin"));
    return value as { id: number; download_url: string };
  };
  const photo = (await account.must("/checkin/image/create", { size: PNG.length })).value;
  const { value: oldest } = await upload(photo, new File([PNG], "a.png"));
  const [named, second, third] = [await store(300), await store(300), await store(100)];
  const task = { vehicle_id, description: "Oil", conditions: { date: { end: "2030-01-01 00:00:00" } } };
  await account.must("/vehicle/service_task/create", { task: { ...task, file_ids: [named.id] } });
  await newTicket(account, { size: 200 });
  expect(codeOf(await tryTicket(account, 300))).toBe(268);

  await account.must("/user/settings/file_storage/update", { file_storage_settings: { auto_overwrite: true } });
  // Without the photo it would not fit, without the third file it does.
  expect(codeOf(await tryTicket(account, 350))).toBe(undefined);
  const left = await Promise.all(
    [oldest, named, second, third].map(async (one) => (await fetch(one.download_url)).status),
  );
  expect(left).toEqual([404, 200, 404, 200]);
  expect(await statsOf(account)).toMatchObject({ file_count: 2, total_size: 950 });
  // A ticket that would not fit even so deletes no file.
  expect(codeOf(await tryTicket(account, 151))).toBe(268);
  expect((await fetch(third.download_url)).status).toBe(200);
  const late = { ...task, file_ids: [second.id] };
  expect(codeOf(await account.call("/vehicle/service_task/create", { task: late }))).toBe(7);

  await account.must("/user/settings/update", { file_storage_settings: { auto_overwrite: false } });
  expect(codeOf(await tryTicket(account, 51))).toBe(268);
});

test("file tickets that are asked for at once reserve their size, and an upload frees the bytes that it did not need", async () => {
  const account = await newAccount();
  await operator.must("/panel/user/update", { user_id: account.id, limits: { file_bytes: 10_000 } });
  const replies = await Promise.all(Array.from({ length: 6 }, () => tryTicket(account, 2500)));
  expect(replies.map(codeOf).toSorted()).toEqual([268, 268, undefined, undefined, undefined, undefined]);
  expect(await statsOf(account)).toEqual({ file_count: 0, total_size: 10_000, quota: 10_000 });
  expect(codeOf(await tryTicket(account, 1))).toBe(268);
  // An upload frees the reserved bytes that it did not need.
  const [first] = replies.filter(({ success }) => success);
  expect((await upload(first.value, new File(["four"], "a.txt"))).success).toBe(true);
  expect(await statsOf(account)).toEqual({ file_count: 1, total_size: 7504, quota: 10_000 });
  expect(codeOf(await tryTicket(account, 2497))).toBe(268);
  expect(codeOf(await tryTicket(account, 2496))).toBe(undefined);
});

test.each([100, 6 * 1024 * 1024])(
  "an upload that is cut off after %i bytes stores nothing and leaves its ticket open",
  async (size) => {
    const account = await sharedAccount();
    const ticket = await newTicket(account, { size: LARGEST });
    const { socket, start } = connectTo(ticket, LARGEST);
    const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()).on("error", () => resolve()));
    socket.write(start);
    await new Promise((resolve) => socket.write(Buffer.alloc(size), resolve));
    await untilInProgress(stack, account, ticket);
    socket.resume().destroy();
    await closed;
    const isCreated = (file: Awaited<ReturnType<typeof readFile>>) => file?.state === "created";
    await waitUntil("the ticket is as it was", () => readFile(account, ticket), isCreated);
    expect(await stack.objects(`upload/${ticket.file_id}/`)).toEqual([]);
    const { value } = await upload(ticket, new File(["whole"], "a.txt"));
    expect((await bytesOf(value.download_url)).toString()).toBe("whole");
    expect(await stack.objects(`upload/${ticket.file_id}/`)).toHaveLength(1);
  },
);

test("an upload that is longer than its declared length is 5 and not stored", async () => {
  const account = await sharedAccount();
  const ticket = await newTicket(account, { size: LARGEST });
  const { socket, start } = connectTo(ticket, 6_000_000);
  const answered = new Promise<string>((resolve) => socket.once("data", (bytes) => resolve(bytes.toString())));
  socket.on("error", () => undefined);
  socket.write(start);
  socket.write(Buffer.concat([Buffer.alloc(6_500_000), Buffer.from("\r\n--b--\r\n")]));
  expect(await answered).toMatch(/^HTTP\/1.1 400 /);
  socket.destroy();
  expect(await readFile(account, ticket)).toMatchObject({ state: "created", size: LARGEST });
  expect(await stack.objects(`upload/${ticket.file_id}/`)).toEqual([]);
});

async function readFile(account: Account, { file_id }: Reply) {
  const [file] = await stack.filesOf({ account_id: account.id, ids: [file_id], base_url: stack.baseUrl });
  return file;
}

/** Connects to the ticket's host, and returns the start of a request that declares a content of this length. */
function connectTo(ticket: Reply, statedBytes: number) {
  const { hostname, port, pathname } = new URL(ticket.url);
  const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"`;
  const fields = `${part("token")}\r\n\r\n${ticket.fields.token}\r\n${part("file")}; filename="a"\r\n\r\n`;
  const type = "Content-Type: multipart/form-data; boundary=b";
  const head = `POST ${pathname} HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: ${fields.length + statedBytes}\r\n\r\n`;
  return { socket: connect(Number(port), hostname), start: head + fields };
}
