import { afterAll, beforeAll, expect, test } from "vitest";
import { HOUR_MS } from "../../shared/time/duration.ts";
import { type Account, type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { newTicket, upload } from "../tool/call/uploads.ts";
import { PNG } from "../tool/document/png.ts";
import { startNewSystem, startSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

/** How long an address of a file is good for. */
const ADDRESS_SECONDS = 10;
let system: Awaited<ReturnType<typeof startNewSystem>>;
let accounts: Accounts;

const codeOf = ({ success, status }: Reply) => (success ? undefined : status.code);

beforeAll(async () => {
  // All of its files are counted and age.
  system = await startNewSystem({ DOWNLOAD_HOURS: String(ADDRESS_SECONDS / 3600) });
  accounts = accountsOn(system);
});

afterAll(() => system?.stop());

test("an unused ticket and a file that nothing names go when their time is over, and free their part of the quota", async () => {
  const account = await accounts.newAccount();
  await account.must("/checkin/image/create", { size: 5000 });
  await newTicket(account);
  const photo = (await account.must("/checkin/image/create", { size: 1000 })).value;
  const bill = await newTicket(account);
  await upload(photo, new File([PNG], "a.png"));
  await upload(bill, new File(["bill"], "a.txt"));
  const held = 6000 + PNG.length + 4;
  expect((await account.must("/file/stats/read")).value).toMatchObject({ file_count: 2, total_size: held });
  await sweep();
  expect((await account.must("/file/stats/read")).value).toMatchObject({ file_count: 2, total_size: held });
  expect(await statusOf(account, photo)).toBe(200);

  // A day for the ticket, or for a file that nothing named; an hour more for content that was still coming in.
  await moveBack(24);
  await sweep();
  await moveBack(1);
  await sweep();
  expect((await account.must("/file/stats/read")).value).toMatchObject({ file_count: 0, total_size: 0 });
  expect(await system.objects("upload/")).toEqual([]);
  expect(await system.rowsOf("files", "file")).toEqual([]);
});

test("an upload is 204 once its ticket's time is over", async () => {
  const own = await startSystem({ TICKET_HOURS: String(1 / 3600) });
  try {
    const account = await accountsOn(own).newAccount();
    const { value } = await account.must("/checkin/image/create", { size: 5000 });
    for (const ticket of [value, await newTicket(account)]) {
      // Without a file the ticket stays unused: 233 while it is good.
      await waitUntil(
        "the ticket has ended",
        async () => codeOf(await upload(ticket)),
        (code) => code === 204,
      );
      expect(codeOf(await upload(ticket, new File([PNG], "a.png")))).toBe(204);
    }
  } finally {
    await own.stop();
  }
});

test("addresses of a file and its previews end, and the thing that names the file answers fresh ones", async () => {
  const account = await accounts.newAccount();
  const { id: tracker_id } = await account.newTracker();
  const { id: vehicle_id } = await account.must("/vehicle/create", { vehicle: { label: "Van", tracker_id } });
  const ticket = await newTicket(account);
  await upload(ticket, new File([PNG], "a.png"));
  const conditions = { date: { end: "2030-01-01 00:00:00" } };
  const task = { vehicle_id, description: "Dent", conditions, file_ids: [ticket.file_id] };
  const { id: task_id } = await account.must("/vehicle/service_task/create", { task });
  const addresses = async (): Promise<string[]> => {
    const { value } = await account.must("/vehicle/service_task/read", { task_id });
    const [file] = value.files;
    return [file.download_url, ...(file.previews ?? []).map(({ download_url }: Reply) => download_url)];
  };
  const statusesOf = (urls: string[]) => Promise.all(urls.map(async (url) => (await fetch(url)).status));
  await waitUntil("both previews are made", addresses, ({ length }) => length === 3);
  const areAll = (status: number) => (statuses: number[]) => statuses.every((one) => one === status);
  let first: string[] = [];
  const fresh = async () => {
    first = await addresses();
    return statusesOf(first);
  };
  await waitUntil("fresh addresses open the file and its previews", fresh, areAll(200));
  await waitUntil("the addresses have ended", () => statusesOf(first), areAll(404));
  await waitUntil("fresh addresses open the file and its previews", fresh, areAll(200));
  // The other test counts what there is.
  await account.must("/vehicle/service_task/delete", { task_id });
  await sweep();
  expect(await system.objects("upload/")).toEqual([]);
});

/** The status of a download by a fresh address: the one in the answer to the upload may have ended. */
async function statusOf({ id }: Account, { file_id }: Reply) {
  const [file] = await system.filesOf({ account_id: id, ids: [file_id], base_url: system.baseUrl });
  return (await fetch(file?.download_url ?? "")).status;
}

/** Moves the ends of tickets and of unnamed files into the past, as if these hours had passed. */
async function moveBack(hours: number) {
  const ms = hours * HOUR_MS;
  await system.change("fleet", "UPDATE service_task_file SET expires = expires - ?", ms);
  for (const worker of ["tasks", "files"] as const)
    await system.change(worker, "UPDATE file SET expires = expires - ?", ms);
}

/** The services say which files nothing needs, files removes them. */
async function sweep() {
  await Promise.all([system.fireCron("fleet"), system.fireCron("tasks")]);
  await system.fireCron("files");
}
