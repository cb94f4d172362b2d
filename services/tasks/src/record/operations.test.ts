import { createHash } from "node:crypto";
import { compactVerify, importJWK } from "jose";
import { expect, test, vi } from "vitest";
import { type Account, newAccount, type Reply, sharedAccount, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { upload } from "#test/tool/call/uploads.ts";
import { PNG } from "#test/tool/document/png.ts";
import { stack } from "#test/tool/system/stack.ts";
import { waitUntil } from "#test/tool/wait.ts";
import { canonicalJson } from "./canonical-json.ts";

const dock = { lat: 52.5, lng: 13.4, address: "Dock <4>" };
const signer = { id: "name", label: "Field", description: "What it is", required: true, type: "text" };
const note = { label: "Note", description: "", submit_in_zone: false, default: false };
const template = { ...note, fields: [{ ...signer, min_length: 1, max_length: 20 }] };
const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest("hex");

async function newCheckin(account: Account, more: object = {}) {
  const { id: tracker_id } = await account.newTracker();
  return Number((await account.must("/checkin/create", { tracker_id, location: dock, ...more })).id);
}

/** Waits until the record exists. */
async function recordOf(account: Account, parameters: object, path = "/checkin/record/read"): Promise<Reply> {
  return vi.waitFor(
    async () => {
      await stack.fireCron("tasks");
      const { value } = await account.must(path, parameters);
      expect(value).not.toBeNull();
      return value;
    },
    { timeout: 120_000 },
  );
}
const verdictOf = async (account: Account, record: string) =>
  (await account.must("/checkin/verify", { hash: undefined, record })).value;

test("checkin/verify proves a check-in's record without a hash: signed, unchanged, with its file's digest", async () => {
  const account = await newAccount();
  const { value: ticket } = await account.must("/checkin/image/create", { size: 1000 });
  await upload(ticket, new File([PNG], "a.png"));
  const checkin_id = await newCheckin(account, { file_ids: [ticket.file_id] });
  const record = await recordOf(account, { checkin_id });
  expect(record).toMatchObject({ place: 1, previous: null, url: expect.stringContaining(record.token) });
  const verdict = await verdictOf(account, record.token);
  expect(verdict).toMatchObject({ valid: true, unchanged: true, is_signed: true, is_chained: true, kind: "checkin" });
  expect(verdict).toMatchObject({ hash: record.hash, told: { location: dock }, files: [sha256(PNG)] });

  const { payload } = await compactVerify(verdict.signature, await importJWK(verdict.key, "ES256"));
  const text = new TextDecoder().decode(payload);
  expect(sha256(text)).toBe(record.hash);
  expect(text).toBe(canonicalJson(JSON.parse(text)));
  expect(JSON.parse(text)).toMatchObject({ kind: "checkin", thing_id: checkin_id, place: 1 });
});

test("an account's records are one chain, however many are made at the same time", async () => {
  const account = await newAccount();
  const ids = await Promise.all(Array.from({ length: 40 }, () => newCheckin(account)));
  await Promise.all([1, 2, 3].map(() => stack.fireCron("tasks")));
  const read = async (checkin_id: number) => (await account.must("/checkin/record/read", { checkin_id })).value;
  const records: Reply[] = await vi.waitFor(
    async () => {
      await stack.fireCron("tasks");
      const found = await Promise.all(ids.map(read));
      expect(found).not.toContain(null);
      return found;
    },
    { timeout: 120_000 },
  );
  const inOrder = records.toSorted((one, other) => one.place - other.place);
  expect(inOrder.map(({ place }) => place)).toEqual(ids.map((_, index) => index + 1));
  expect(inOrder.map(({ previous }) => previous)).toEqual([null, ...inOrder.slice(0, -1).map(({ hash }) => hash)]);
});

test("a submitted form has a record of each submission, and only the last one is valid", async () => {
  const account = await sharedAccount();
  const [from, to] = ["2099-05-02 10:00:00", "2099-05-02 12:00:00"];
  const { id: template_id } = await account.must("/form/template/create", { template });
  const task = { label: "Parcel", description: "", location: { ...dock, radius: 100 }, from, to };
  const { id: task_id } = await account.must("/task/create", {
    task: { ...task, form_template_id: template_id },
    create_form: true,
  });
  const { id } = (await account.must("/task/form/read", { task_id })).value;
  expect((await account.must("/form/record/read", { id })).value).toBeNull();
  const submit = (value: string) =>
    account.must("/task/form/values/update", { task_id, values: { name: { type: "text", value } } });
  await submit("one");
  const first = await recordOf(account, { id }, "/form/record/read");
  expect(await verdictOf(account, first.token)).toMatchObject({ valid: true, kind: "form" });
  await submit("two");
  expect(await verdictOf(account, first.token)).toMatchObject({ valid: false, unchanged: false, is_signed: true });
  const second = await waitUntil(
    "a second record is made",
    () => recordOf(account, { id }, "/form/record/read"),
    ({ token }) => token !== first.token,
  );
  expect(await verdictOf(account, second.token)).toMatchObject({ valid: true });
});

test("checkin/verify proves nothing of a deleted check-in, and the chain goes on behind it", async () => {
  const account = await newAccount();
  const checkin_id = await newCheckin(account);
  const { token } = await recordOf(account, { checkin_id });
  await account.must("/checkin/delete", { checkin_ids: [checkin_id] });
  expect(await verdictOf(account, token)).toMatchObject({ valid: false, unchanged: false, told: null });
  const next = await recordOf(account, { checkin_id: await newCheckin(account) });
  expect(await verdictOf(account, next.token)).toMatchObject({ valid: true, place: 2 });
});

test("the page of a record has no script, and escapes what callers wrote", async () => {
  const account = await sharedAccount();
  const { url } = await recordOf(account, { checkin_id: await newCheckin(account) });
  const answer = await fetch(url);
  expect(answer.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  const text = await answer.text();
  expect(text).toContain("<h1>This record is genuine</h1>");
  expect(text).not.toMatch(/<script|<4>/);
});

test("record calls answer 201 to an unknown token, another account's check-in and another's form", async () => {
  const [owner, rival] = [await sharedAccount(), await newAccount()];
  const checkin_id = await newCheckin(owner);
  const codes = await Promise.all([
    owner.call("/checkin/verify", { hash: undefined, record: "0".repeat(32) }),
    owner.call("/checkin/verify", { hash: undefined, record: "x" }),
    rival.call("/checkin/record/read", { checkin_id }),
    rival.call("/form/record/read", { id: UNKNOWN_ID }),
  ]);
  expect(codes.map(({ status }) => status.code)).toEqual([201, 201, 204, 201]);
});
