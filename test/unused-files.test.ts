import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Accounts, accountsOn, type Reply } from "./account.ts";
import { startSystem } from "./system.ts";
import { newTicket, PNG, upload } from "./uploads.ts";

// Tickets are good for five seconds here.
const LIFE_MS = 5_000;
let system: Awaited<ReturnType<typeof startSystem>>;
let accounts: Accounts;

const codeOf = ({ success, status }: Reply) => (success ? undefined : status.code);

beforeAll(async () => {
  system = await startSystem({ TICKET_HOURS: String(LIFE_MS / 3_600_000) });
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

/** The services say what nobody has need of, files removes it. */
async function sweep() {
  await Promise.all([system.fireCron("fleet"), system.fireCron("tasks")]);
  await system.fireCron("files");
}
