import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { newTicket, PNG, upload } from "../tool/call/uploads.ts";
import { startSystem } from "../tool/system/system.ts";

// Tickets are good for ten seconds here, addresses for twenty: what is done with them before takes one, or five where much else runs.
const LIFE_MS = 10_000;
let system: Awaited<ReturnType<typeof startSystem>>;
let accounts: Accounts;

const codeOf = ({ success, status }: Reply) => (success ? undefined : status.code);

beforeAll(async () => {
  const hours = LIFE_MS / 3_600_000;
  system = await startSystem({ TICKET_HOURS: String(hours), DOWNLOAD_HOURS: String(2 * hours) });
  accounts = accountsOn(system);
});

afterAll(() => system?.stop());

test("a ticket that nobody used and a file that nothing named go when their time is over, and their room is free again", async () => {
  const account = await accounts.newAccount();
  const unused = [(await account.must("/checkin/image/create", { size: 5000 })).value, await newTicket(account)];
  const photo = (await account.must("/checkin/image/create", { size: 1000 })).value;
  const bill = await newTicket(account);
  const { value } = await upload(photo, new File([PNG], "a.png"));
  await upload(bill, new File(["bill"], "a.txt"));
  const held = 6000 + PNG.length + 4;
  expect((await account.must("/file/stats/read")).value).toMatchObject({ file_count: 2, total_size: held });
  await sweep();
  expect((await fetch(value.download_url)).status).toBe(200);

  await pause(LIFE_MS);
  for (const ticket of unused) expect(codeOf(await upload(ticket, new File([PNG], "a.png")))).toBe(204);
  await sweep();
  // What began to come in while its ticket was good had a moment to end.
  await pause(LIFE_MS / 24 + 100);
  await sweep();
  expect((await account.must("/file/stats/read")).value).toMatchObject({ file_count: 0, total_size: 0 });
  expect((await fetch(value.download_url)).status).toBe(404);
  expect(await system.objects("upload/")).toEqual([]);
  expect((await system.contentOf("files")).file).toEqual([]);
});

test("the addresses of a file and its previews end; whoever reads what names it is given fresh ones", async () => {
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
  await expect.poll(addresses, { timeout: 20_000 }).toHaveLength(3);
  const first = await addresses();
  expect(await statusesOf(first)).toEqual([200, 200, 200]);
  await pause(2 * LIFE_MS);
  expect(await statusesOf(first)).toEqual([404, 404, 404]);
  expect(await statusesOf(await addresses())).toEqual([200, 200, 200]);
  // The other test counts what there is.
  await account.must("/vehicle/service_task/delete", { task_id });
  await sweep();
  expect(await system.objects("upload/")).toEqual([]);
});

/** The services say what nobody has need of, files removes it. */
async function sweep() {
  await Promise.all([system.fireCron("fleet"), system.fireCron("tasks")]);
  await system.fireCron("files");
}
