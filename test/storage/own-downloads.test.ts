import { beforeAll, expect, test } from "vitest";
import { type Account, must, newAccount, type Reply, UNKNOWN_ID } from "../tool/call/account.ts";
import { newSubUser } from "../tool/call/mailbox.ts";
import { newFile, newTicket, upload } from "../tool/call/uploads.ts";
import { turnedPhoto } from "../tool/document/pictures.ts";
import { PNG } from "../tool/document/png.ts";
import { DATED } from "../tool/sample/fleet/service-task.ts";
import { daysAgo } from "../tool/sample/range.ts";
import { OPERATOR } from "../tool/system/operator.ts";
import { stack } from "../tool/system/stack.ts";

let account: Account;
/** The tracker that clerks see, and one that they do not see. */
let seen: number;
let hidden: number;

beforeAll(async () => {
  account = await newAccount();
  seen = (await account.newTracker({ label: "Seen" })).id;
  hidden = (await account.newTracker({ label: "Hidden" })).id;
});

const addressOf = (id: unknown) => `${stack.baseUrl}/file/download/${id}`;
const download = (id: unknown, hash: string, headers: Record<string, string> = {}) =>
  fetch(addressOf(id), { headers: { Authorization: `FMS ${hash}`, ...headers } });
const codeOf = async (answer: Response) => ((await answer.json()) as Reply).status.code;

/** A sub-user who sees one tracker. */
async function newClerk(rights: string[] = []) {
  const { id, hash } = await newSubUser(account);
  const group = { label: "Clerks", privileges: { rights } };
  const { id: group_id } = await account.must("/subuser/security_group/create", { group });
  await account.must("/subuser/security_group/assign", { group_id, subuser_ids: [id] });
  await account.must("/subuser/tracker/bind", { subuser_id: id, trackers: [seen] });
  return hash;
}

/** A bill named by a service task of a vehicle on the tracker. */
async function newBill(tracker_id: number) {
  const { id: vehicle_id } = await account.must("/vehicle/create", { vehicle: { label: "Van", tracker_id } });
  const file_id = await newFile(account);
  await account.must("/vehicle/service_task/create", {
    task: { vehicle_id, description: "Oil", conditions: DATED, file_ids: [file_id] },
  });
  return file_id;
}

/** A photo of a check-in. */
async function newPhoto(tracker_id: number) {
  const { value } = await account.must("/checkin/image/create", { size: 1000 });
  await upload(value, new File([PNG], "a.png"));
  const location = { lat: 52.5, lng: 13.4, address: "" };
  await account.must("/checkin/create", { tracker_id, location, file_ids: [value.file_id] });
  return Number(value.file_id);
}

/** A photo in the submitted form of a task. */
async function newFormPhoto(tracker_id: number) {
  const photos = {
    id: "photos",
    label: "Photos",
    type: "photo",
    description: "What it is",
    required: false,
    max_files: 3,
  };
  const template = { label: "Note", fields: [photos], description: "", submit_in_zone: false, default: false };
  const { id: form_template_id } = await account.must("/form/template/create", { template });
  const location = { lat: 52.5, lng: 13.4, address: "", radius: 100 };
  const task = { tracker_id, form_template_id, label: "Parcel", description: "", location };
  const { id: task_id } = await account.must("/task/create", {
    task: { ...task, from: daysAgo(1), to: daysAgo(-2) },
    create_form: true,
  });
  const { value } = await account.must("/task/form/file/create", { task_id, field_id: "photos", size: 1000 });
  await upload(value, new File([PNG], "a.png"));
  const values = { photos: { type: "photo", file_ids: [value.file_id] } };
  await account.must("/task/form/values/update", { task_id, values });
  return Number(value.file_id);
}

test("a session's hash or an API key, as a header or in the query, downloads a file of its account", async () => {
  const file_id = await newFile(account, "Отчёт.pdf");
  const { value: key } = await account.must("/api/key/create", { title: "ERP" });
  for (const hash of [account.hash, key.hash]) {
    for (const answer of [
      await download(file_id, hash),
      await fetch(addressOf(file_id), { headers: { Authorization: `Bearer ${hash}` } }),
      await fetch(`${addressOf(file_id)}?hash=${hash}`),
    ]) {
      expect([answer.status, await answer.text()]).toEqual([200, "bill"]);
      expect(answer.headers.get("Content-Disposition")).toContain(
        `filename*=UTF-8''${encodeURIComponent("Отчёт.pdf")}`,
      );
      expect(answer.headers.get("Cache-Control")).toBe("private, no-cache");
      expect(answer.headers.get("Vary")).toContain("Authorization");
      expect(answer.headers.get("Content-Security-Policy")).toBe("default-src 'none'; sandbox");
      expect(answer.headers.get("RateLimit-Limit")).not.toBe(null);
    }
  }
});

test("a download by a hash answers ranges and validators as a signed address does", async () => {
  const file_id = await newFile(account);
  const whole = await download(file_id, account.hash);
  const ETag = whole.headers.get("ETag") ?? "";
  const part = await download(file_id, account.hash, { Range: "bytes=-2", "If-Range": ETag });
  expect([part.status, part.headers.get("Content-Range"), await part.text()]).toEqual([206, "bytes 2-3/4", "ll"]);
  const known = await download(file_id, account.hash, { "If-None-Match": ETag });
  expect([known.status, known.headers.get("Cache-Control")]).toEqual([304, "private, no-cache"]);
  const missing = await download(file_id, account.hash, { Range: "bytes=9-" });
  expect([missing.status, missing.headers.get("Content-Range")]).toEqual([416, "bytes */4"]);
  const head = await fetch(addressOf(file_id), { method: "HEAD", headers: { Authorization: `FMS ${account.hash}` } });
  expect([head.status, head.headers.get("ETag"), await head.text()]).toEqual([200, ETag, ""]);
});

test("previews of a picture are downloaded by a hash too", async () => {
  const ticket = await newTicket(account, { size: 1_000_000 });
  await upload(ticket, new File([turnedPhoto(6)], "a.jpg"));
  await stack.fireCron("files");
  const headers = { Authorization: `FMS ${account.hash}` };
  for (const side of [200, 800]) {
    const preview = await fetch(addressOf(`preview/${side}/${ticket.file_id}`), { headers });
    expect([preview.status, preview.headers.get("Content-Type")]).toEqual([200, "image/jpeg"]);
  }
  expect((await fetch(addressOf(`preview/300/${ticket.file_id}`), { headers })).status).toBe(404);
});

test("a download without a hash is 3, with a made-up, ended or operator's hash 4, by another method 112", async () => {
  const file_id = await newFile(account);
  const { hash: operator } = await must("/panel/account/auth", OPERATOR);
  expect(await codeOf(await fetch(addressOf(file_id)))).toBe(3);
  expect(await codeOf(await download(file_id, "nothing"))).toBe(3);
  expect(await codeOf(await download(file_id, "0".repeat(32)))).toBe(4);
  expect(await codeOf(await download(file_id, operator))).toBe(4);
  const posted = await fetch(addressOf(file_id), { method: "POST", headers: { Authorization: `FMS ${account.hash}` } });
  expect(await codeOf(posted)).toBe(112);
  const rival = await newAccount();
  await rival.must("/user/logout");
  expect(await codeOf(await download(file_id, rival.hash))).toBe(4);
});

test("another account's file, one that is not uploaded and an unknown one answer alike", async () => {
  const rival = await newAccount();
  const { file_id: open } = await newTicket(account);
  const answers = [UNKNOWN_ID, await newFile(rival), open, 0].map(async (id) => {
    const answer = await download(id, account.hash);
    const { "x-request-id": _, ...headers } = Object.fromEntries(answer.headers);
    const limits = Object.keys(headers).filter((name) => name.startsWith("ratelimit"));
    for (const name of [...limits, "date"]) delete headers[name];
    return { status: answer.status, headers, body: await answer.text() };
  });
  const [unknown, ...others] = await Promise.all(answers);
  expect(unknown).toMatchObject({ status: 404, body: expect.stringContaining('"code":204') });
  for (const other of others) expect(other).toEqual(unknown);
});

test("a sub-user downloads what something that it sees names, and what it has uploaded itself", async () => {
  const [clerk, reader] = [await newClerk(), await newClerk(["employee_update"])];
  const statusesOf = async (id: number) => [
    (await download(id, clerk)).status,
    (await download(id, reader)).status,
    (await download(id, account.hash)).status,
  ];
  expect(await statusesOf(await newBill(seen))).toEqual([200, 200, 200]);
  expect(await statusesOf(await newBill(hidden))).toEqual([404, 404, 200]);
  // Reading photos of check-ins takes the right to read check-ins.
  expect(await statusesOf(await newPhoto(seen))).toEqual([404, 200, 200]);
  expect(await statusesOf(await newPhoto(hidden))).toEqual([404, 404, 200]);
  expect(await statusesOf(await newFormPhoto(seen))).toEqual([200, 200, 200]);
  expect(await statusesOf(await newFormPhoto(hidden))).toEqual([404, 404, 200]);
  // A file that no thing names is shown to nobody but the master.
  expect(await statusesOf(await newFile(account))).toEqual([404, 404, 200]);
  const { value } = await account.must("/checkin/image/create", { hash: clerk, size: 1000 });
  await upload(value, new File([PNG], "a.png"));
  expect(await statusesOf(value.file_id)).toEqual([200, 404, 404]);
});

test("a download ends at once for a sub-user whose tracker is unbound", async () => {
  const { id, hash } = await newSubUser(account);
  const bind = { subuser_id: id, trackers: [seen] };
  await account.must("/subuser/tracker/bind", bind);
  const photo = await newFormPhoto(seen);
  expect((await download(photo, hash)).status).toBe(200);
  await account.must("/subuser/tracker/unbind", bind);
  expect((await download(photo, hash)).status).toBe(404);
});

test("a page of another address may download with the header, and the log holds no hash", async () => {
  const asked = await fetch(addressOf(1), {
    method: "OPTIONS",
    headers: { Origin: "https://example.com", "Access-Control-Request-Method": "GET" },
  });
  expect(asked.headers.get("Access-Control-Allow-Headers")).toContain("Authorization");
  await fetch(`${addressOf("1x")}?hash=${account.hash}`);
  await fetch(`${addressOf(UNKNOWN_ID)}?hash=${account.hash}`);
  expect(JSON.stringify(await stack.logs())).not.toContain(account.hash);
});
