import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Account, type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { newFile, newTicket, untilInProgress, upload, uploadInTwo } from "../tool/call/uploads.ts";
import { startWatchedSystem } from "../tool/system/system.ts";

// A database that is taken down is down for every test of its system: this file has its own.
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let accounts: Accounts;
let account: Account;
let vehicle_id: number;

const CONDITIONS = { date: { end: "2030-01-01 00:00:00" } };
const file = (content: string) => new File([content], "a.txt");
const codeOf = ({ success, status }: Reply) => (success ? undefined : status.code);
const kept = ({ file_id }: { file_id: number }) => system.objects(`upload/${file_id}/`);
const use = ({ file_id }: { file_id: number }) => {
  const task = { vehicle_id, description: "Oil change", conditions: CONDITIONS, file_ids: [file_id] };
  return account.call("/vehicle/service_task/create", { task });
};

beforeAll(async () => {
  system = await startWatchedSystem();
  accounts = accountsOn(system);
  account = await accounts.newAccount();
  const { id: tracker_id } = await account.newTracker();
  ({ id: vehicle_id } = await account.must("/vehicle/create", { vehicle: { label: "Van", tracker_id } }));
});

afterEach(() => Promise.all([system.bringUp("files"), system.bringUp("fleet")]));

afterAll(() => system?.stop());

test("an upload whose end could not be stored counts as none and can be repeated; its remains go with the file", async () => {
  const ticket = await newTicket(account);
  await system.takeDown("files");
  expect(codeOf(await upload(ticket, file("lost")))).toBe(14);
  await system.bringUp("files");
  expect(await kept(ticket)).toEqual([]);
  const isLost = uploadInTwo(ticket, [Buffer.from("lo"), Buffer.from("st")], async () => {
    await untilInProgress(system, account, ticket);
    await system.takeDown("files");
  });
  expect(codeOf(await isLost)).toBe(14);
  await system.bringUp("files");
  const { value } = await upload(ticket, file("noted"));
  expect(await (await fetch(value.download_url)).text()).toBe("noted");
  expect(await kept(ticket)).toHaveLength(2);

  const { id } = await use(ticket);
  await account.must("/vehicle/service_task/delete", { task_id: id });
  await system.fireCron("fleet");
  await system.fireCron("files");
  expect(await kept(ticket)).toEqual([]);
  expect((await fetch(value.download_url)).status).toBe(404);
  expect(codeOf(await upload(ticket, file("again")))).toBe(204);
});

test("an upload whose note was lost on its way back counts, and its service hears of it later", async () => {
  const ticket = await newTicket(account);
  const isNoted = uploadInTwo(ticket, [Buffer.from("no"), Buffer.from("ted")], async () => {
    await untilInProgress(system, account, ticket);
    await system.loseAnswers("files");
  });
  expect(codeOf(await isNoted)).toBe(14);
  await system.bringUp("files");
  expect(codeOf(await upload(ticket, file("again")))).toBe(269);
  expect(codeOf(await use(ticket))).toBe(7);
  await system.fireCron("files");
  expect(codeOf(await use(ticket))).toBe(undefined);
  // A client without an answer sends the file again.
  expect(await upload(ticket, file("noted"))).toMatchObject({ success: true, value: { id: ticket.file_id, size: 5 } });
  expect(await kept(ticket)).toHaveLength(1);
});

test("an upload while fleet is away is taken, and can be used once fleet is back and has heard of it", async () => {
  const { value: before } = await account.must("/file/stats/read");
  const ticket = await newTicket(account);
  await system.takeDown("fleet");
  expect(codeOf(await upload(ticket, file("early")))).toBe(undefined);
  expect((await account.call("/vehicle/service_task/file/create", { size: 1000 })).status.code).toBe(14);
  await system.fireCron("files").catch(() => undefined);
  await system.bringUp("fleet");
  expect(codeOf(await use(ticket))).toBe(7);
  await system.fireCron("files");
  await system.fireCron("files");
  expect(codeOf(await use(ticket))).toBe(undefined);
  // The ticket that could not be given out holds nothing.
  const { value } = await account.must("/file/stats/read");
  const content = "early".length;
  expect(value).toMatchObject({ file_count: before.file_count + 1, total_size: before.total_size + content });
});

test("files that could not be removed while the database of files was away are removed later, and so are a removed account's", async () => {
  const leaving = await accounts.newAccount();
  const { id: tracker_id } = await leaving.newTracker();
  const { id } = await leaving.must("/vehicle/create", { vehicle: { label: "Van", tracker_id } });
  const [one, other] = [await newFile(leaving), await newFile(leaving)];
  const task = { vehicle_id: id, description: "Oil change", conditions: CONDITIONS, file_ids: [one, other] };
  const { id: task_id } = await leaving.must("/vehicle/service_task/create", { task });
  await leaving.must("/vehicle/service_task/update", { task: { ...task, id: task_id, file_ids: [one] } });
  await system.takeDown("files");
  await system.fireCron("fleet").catch(() => undefined);
  await system.bringUp("files");
  await system.fireCron("fleet");
  await system.fireCron("files");
  expect(await kept({ file_id: other })).toEqual([]);
  expect(await kept({ file_id: one })).toHaveLength(1);

  const hash = await accounts.operatorHash();
  await accounts.must("/panel/user/corrupt", { hash, user_id: leaving.id, login: leaving.login });
  await system.fireCron("fleet");
  await system.fireCron("files");
  expect(await kept({ file_id: one })).toEqual([]);
});
