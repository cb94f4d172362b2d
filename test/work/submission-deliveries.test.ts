import { afterAll, beforeAll, test } from "vitest";
import { systemNow, writeLocal } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import { type Account, accountsOn, type Reply } from "../tool/call/account.ts";
import { upload } from "../tool/call/uploads.ts";
import { PNG } from "../tool/document/png.ts";
import { startSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

// Each event was delivered after the answer of a call: no cron fires after it.
let system: Awaited<ReturnType<typeof startSystem>>;
let account: Account;
let tracker_id: number;

beforeAll(async () => {
  system = await startSystem({ AUDIT_DELAY_SECONDS: "0.05" });
  account = await accountsOn(system).newAccount({ time_zone: "UTC" });
  tracker_id = (await account.newTracker()).id;
});

afterAll(() => system?.stop());

const inDays = (days: number) => writeLocal(systemNow() + days * DAY_MS, "UTC");
const dock = { lat: 52.5, lng: 13.4, address: "Dock 4" };
const photos = { id: "photos", type: "photo", label: "Photos", description: "Of it", required: false, max_files: 2 };

/** Waits until history has an event of this name. */
async function untilInHistory(name: string) {
  const search = { trackers: [tracker_id], from: inDays(-1), to: inDays(1) };
  const read = async () => (await account.must("/history/tracker/list", search)).list;
  const hasEvent = (list: Reply[]) => list.some(({ event }) => event === name);
  await waitUntil(`history has ${name}`, read, hasEvent);
}

test("the event of checkin/create is in history without a sweep", async () => {
  await account.must("/checkin/create", { tracker_id, location: dock });
  await untilInHistory("checkin_creation");
});

test("task/checkpoint/delete has the event of its failed route in history without a sweep", async () => {
  const now = systemNow();
  const stop = { label: "Stop", description: "", location: { ...dock, radius: 100 } };
  const soon = { ...stop, from: inDays(-1), to: writeLocal(now + 4000, "UTC") };
  const { result } = await account.must("/task/route/create", {
    route: { label: "Loop", description: "", tracker_id },
    checkpoints: [soon, { ...stop, from: inDays(0.5), to: inDays(1) }],
  });
  const [first, second] = result.checkpoint_ids;
  const failFirst = async () => {
    await system.fireCron("tasks");
    return (await account.must("/task/read", { task_id: first })).value.status;
  };
  await waitUntil("the first checkpoint has failed", failFirst, (status) => status === "failed");
  await account.must("/task/checkpoint/delete", { checkpoint_id: second });
  await untilInHistory("route_failed");
});

test("task/form/values/update has its event in history and the form's unused files removed without a sweep", async () => {
  const template = { label: "Note", description: "", submit_in_zone: false, default: false, fields: [photos] };
  const { id: form_template_id } = await account.must("/form/template/create", { template });
  const task = { tracker_id, label: "Parcel", description: "", location: { ...dock, radius: 100 }, form_template_id };
  const created = { ...task, from: inDays(0), to: inDays(1) };
  const { id: task_id } = await account.must("/task/create", { task: created, create_form: true });
  const newPhoto = async () => {
    const { value } = await account.must("/task/form/file/create", { task_id, field_id: "photos", size: 1000 });
    await upload(value, new File([PNG], "a.png"));
    return Number(value.file_id);
  };
  const [kept, unused] = [await newPhoto(), await newPhoto()];
  const values = { photos: { type: "photo", file_ids: [kept] } };
  await account.must("/task/form/values/update", { task_id, values });
  await untilInHistory("task_form_submitted");
  const search = { account_id: account.id, ids: [kept, unused], base_url: system.baseUrl };
  const isRemoved = (files: { id: number }[]) => files.length === 1 && files[0]?.id === kept;
  await waitUntil("files has removed the unused file", () => system.filesOf(search), isRemoved);
});
