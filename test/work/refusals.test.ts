import { afterAll, beforeAll, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { type Account, type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { startSystem } from "../tool/system/system.ts";

const dock = { lat: 52.5, lng: 13.4, address: "Dock 4", radius: 100 };
const described = { label: "Field", description: "What it is", required: false };
const fields = [
  { ...described, id: "name", type: "text", min_length: 1, max_length: 20 },
  { ...described, id: "photos", type: "photo", max_files: 2 },
];
const template = { label: "Note", description: "", submit_in_zone: false, default: false, fields };
const values = { name: { type: "text", value: "A. Smith" } };

/** Documents may hold less in the system of this file than elsewhere. */
const DOCUMENT_LIMITS = Object.fromEntries(
  ["pdf", "xls", "xlsx"].map((format) => [format, { cells: 3, characters: 5 }]),
);

let system: Awaited<ReturnType<typeof startSystem>>;
let accounts: Accounts;
let account: Account;
let tracker_id: number;
let template_id: number;

beforeAll(async () => {
  system = await startSystem({ DOCUMENT_LIMITS: JSON.stringify(DOCUMENT_LIMITS) });
  accounts = accountsOn(system);
  account = await accounts.newAccount();
  tracker_id = (await account.newTracker()).id;
  template_id = (await account.must("/form/template/create", { template })).id;
  const limits = { file_bytes: 1000 };
  await accounts.must("/panel/user/update", { hash: await accounts.operatorHash(), user_id: account.id, limits });
});

afterAll(() => system?.stop());

test("a document of more than one may hold is 267 and names its format", async () => {
  const [task_id, form_id] = [await newTask(), await newForm()];
  await account.must("/task/form/values/update", { task_id, values });
  await account.must("/checkin/create", { tracker_id, location: dock, form_submission: { form_id, values } });
  for (const [path, given] of [
    ["/checkin/list", {}],
    ["/form/download", { id: form_id }],
    ["/task/form/download", { task_id }],
  ] as const) {
    const refused: Reply = await account.call(path, { ...given, format: "pdf" });
    expect(refused, path).toMatchObject({ status: { code: 267 }, errors: [{ parameter: "format" }] });
  }
});

test("a list of check-ins of more trackers than it may name is 221", async () => {
  const trackers = Array.from({ length: 10_001 }, () => tracker_id);
  expect(await account.call("/checkin/list", { trackers })).toMatchObject({ status: { code: 221 } });
  expect(await account.call("/checkin/list", { trackers: trackers.slice(1) })).toMatchObject({ success: true });
});

test("a ticket for more bytes than the account has left is 268", async () => {
  const [task_id, form_id] = [await newTask(), await newForm()];
  for (const [path, given] of [
    ["/checkin/form/file/create", { form_id, field_id: "photos" }],
    ["/task/form/file/create", { task_id, field_id: "photos" }],
  ] as const) {
    expect(await account.call(path, { ...given, size: 1001 }), path).toMatchObject({ status: { code: 268 } });
    expect(await account.call(path, { ...given, size: 10 }), path).toMatchObject({ success: true });
  }
});

async function newTask(): Promise<number> {
  const day = (count: number) => writeUtc(systemNow() + count * 86_400_000);
  const task = { label: "Parcel", description: "", location: dock, from: day(0), to: day(2) };
  const given = { ...task, form_template_id: template_id };
  return (await account.must("/task/create", { task: given, create_form: true })).id;
}

async function newForm(): Promise<number> {
  return (await account.must("/checkin/form/create", { tracker_id, template_id })).id;
}
