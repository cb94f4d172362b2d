import { afterAll, beforeAll, expect, test } from "vitest";
import { nobody, type Principal } from "../../shared/caller/principal.ts";
import { type Account, type Accounts, accountsOn, type Reply, UNKNOWN_ID } from "../tool/call/account.ts";
import { startWatchedSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

// Imports begin when this file sweeps, and never by themselves.
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let accounts: Accounts;

const ROWS = 2000;
const headers = ["first_name", "tags"];

beforeAll(async () => {
  system = await startWatchedSystem({ BATCH_ROWS: String(ROWS) });
  accounts = accountsOn(system);
});

afterAll(() => system?.stop());

async function newSheet(account: Account, rows: string[]): Promise<string> {
  const file = new File([rows.join("\n")], "rows.csv");
  return (await account.must("/data/spreadsheet/parse", { file })).file_id;
}

test("two imports are open at a time, and one of the same file in the same columns once", async () => {
  const account = await accounts.newAccount();
  const files = await Promise.all(["Ann", "Bo", "Cy"].map((name) => newSheet(account, [name])));
  const start = (filename = "", more = {}) =>
    account.call("/employee/import/start", { filename, headers: ["first_name"], ...more });
  const codes = (replies: Reply[]) => replies.map(({ status }) => status?.code).toSorted();
  expect(codes([await start(files[0]), await start(files[0])])).toEqual([247, undefined]);
  // Starts at the same time are refused in the same way.
  expect(codes(await Promise.all(files.map((file) => start(file))))).toEqual([15, 247, undefined]);
  expect(codes([await start(files[0], { headers: ["last_name"] })])).toEqual([15]);
  expect((await account.call("/vehicle/import/start", { filename: files[2], headers: ["label"] })).status.code).toBe(
    15,
  );

  const { list } = await account.must("/employee/import/list");
  expect(list.map(({ status }: Reply) => status)).toEqual(["created", "created"]);
  const [{ id: process_id }] = list;
  expect((await account.call("/employee/import/finish", { process_id })).status.code).toBe(280);
  await system.fireCron("fleet");
  expect((await account.must("/employee/import/list")).list).toMatchObject([{ status: "done" }, { status: "done" }]);
  // A file whose import has ended may be imported again.
  expect((await start(files[0])).success).toBe(true);
  await system.fireCron("fleet");
  expect((await account.must("/employee/list")).count).toBe(3);
});

test("an import cut off in the middle goes on where it was: every row up to the limit once, each with its entry", async () => {
  const account = await accounts.newAccount();
  const names = Array.from({ length: ROWS + 1 }, (_, index) => `N${index}\tt${index % 3}`);
  const filename = await newSheet(account, names);
  const converted = await account.must("/employee/batch_convert", { file_id: filename, fields: ["first_name"] });
  expect([converted.list.length, converted.limit_exceeded]).toEqual([ROWS, true]);
  const { id: process_id } = await account.must("/employee/import/start", { filename, headers });
  const progress = async () => (await account.must("/employee/import/read", { process_id })).value;

  const sweep = system.fireCron("fleet").catch(() => undefined);
  await waitUntil("the import has begun", progress, (now) => now.progress.processed_lines > 0);
  await system.loseAnswers("fleet");
  await sweep;
  await system.bringUp("fleet");
  // Two at a time get into nobody's way.
  await Promise.all([system.fireCron("fleet"), system.fireCron("fleet")]);
  await waitUntil("the import is done", progress, ({ status }) => status === "done");
  expect((await progress()).progress).toEqual({
    imported: ROWS,
    failed: 0,
    percent: 100,
    processed_lines: ROWS,
    warnings: [{ line: ROWS + 1, error: `Rows limit exceeded: only ${ROWS} are imported` }],
    errors: [],
  });
  const { count, list } = await account.must("/employee/list");
  expect(count).toBe(ROWS);
  expect(new Set(list.map(({ first_name }: Reply) => first_name)).size).toBe(ROWS);
  expect((await account.must("/tag/list", { filter: null })).count).toBe(3);
});

test("employee/import/read shows a sub-user its own imports, and 201 for its master's", async () => {
  const account = await accounts.newAccount();
  const filename = await newSheet(account, ["Ann"]);
  const { id: process_id } = await account.must("/employee/import/start", { filename, headers });
  const principal = { ...PRINCIPAL, account_id: account.id };
  const read = { path: "/employee/import/read", parameters: { process_id } };
  const asked = await system.handleAs("fleet", { ...read, principal });
  expect(JSON.parse(asked.body).status.code).toBe(201);
  const own = await system.handleAs("fleet", { ...read, principal: { ...principal, user_id: account.id } });
  expect(JSON.parse(own.body).success).toBe(true);
});

test("imports and sheets of a removed account go with it", async () => {
  const account = await accounts.newAccount();
  const filename = await newSheet(account, ["Ann"]);
  await account.must("/employee/import/start", { filename, headers });
  const hash = await accounts.operatorHash();
  await accounts.must("/panel/user/corrupt", { hash, user_id: account.id, login: account.login });
  await system.fireCron("fleet");
  const principal = { ...PRINCIPAL, account_id: account.id, kind: "master" as const };
  const ask = async (path: string, parameters: object) =>
    JSON.parse((await system.handleAs("fleet", { path, parameters, principal })).body);
  expect(await ask("/employee/import/list", {})).toEqual({ success: true, list: [] });
  expect((await ask("/employee/list", {})).count).toBe(0);
  expect((await ask("/employee/batch_convert", { file_id: filename })).status.code).toBe(234);
  // The second removal of an account is refused.
  expect(
    (await accounts.call("/panel/user/corrupt", { hash, user_id: account.id, login: account.login })).status.code,
  ).toBe(252);
});

test("a sheet that is gone, however it went, ends its import as failed", async () => {
  const account = await accounts.newAccount();
  const filename = await newSheet(account, ["Ann"]);
  const { id: process_id } = await account.must("/employee/import/start", { filename, headers });
  // A hundred are kept: this one is the oldest.
  for (let index = 0; index < 100; index++) await newSheet(account, ["Bo"]);
  await system.fireCron("files");
  await system.fireCron("fleet");
  const { value } = await account.must("/employee/import/read", { process_id });
  expect(value).toMatchObject({ status: "failed", progress: { imported: 0, percent: 0 } });
  await account.must("/employee/import/finish", { process_id });
  expect((await account.call("/employee/import/start", { filename, headers })).status.code).toBe(233);
});

const PRINCIPAL: Principal = {
  ...nobody("none"),
  credential: "session",
  kind: "subuser",
  // No account has it.
  user_id: UNKNOWN_ID,
  rights: ["employee_update"],
  scope: "all",
};
