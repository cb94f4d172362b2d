import { expect, test, vi } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { type Account, newAccount, operator, type Reply, sharedAccount, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";
import { stack } from "#test/tool/system/stack.ts";

const EMPLOYEES = "/employee/import";
const VEHICLES = "/vehicle/import";

/** A master or one of its sub-users. */
type Caller = Pick<Account, "must">;

async function newSheet(account: Caller, rows: string[][]): Promise<string> {
  const file = new File([rows.map((row) => row.join("\t")).join("\n")], "rows.csv");
  return (await account.must("/data/spreadsheet/parse", { file })).file_id;
}

/** Starts an import and returns it once it has ended. */
async function runImport(
  account: Caller,
  family: string,
  headers: string[],
  rows: string[][],
  more = {},
): Promise<Reply> {
  const filename = await newSheet(account, rows);
  const { id: process_id } = await account.must(`${family}/start`, { filename, headers, ...more });
  return waitForEnd(account, family, process_id);
}

/** Sweeps until the import has ended; sweeps of other tests may be working on it, too. */
async function waitForEnd(account: Caller, family: string, process_id: number): Promise<Reply> {
  const read = async () => (await account.must(`${family}/read`, { process_id })).value;
  await vi.waitUntil(
    async () => {
      await stack.fireCron("fleet");
      return ["done", "failed"].includes((await read()).status);
    },
    { timeout: 120_000 },
  );
  return read();
}

async function failedLines(account: Account, family: string, process_id: number) {
  const url = `${stack.baseUrl}${family}/download_failed?process_id=${process_id}&hash=${account.hash}`;
  const answer = await fetch(url);
  expect(answer.headers.get("Content-Type")).toContain("text/tab-separated-values");
  return answer.text();
}

test("an import of employees sets tracker, tags and place; unknown names are warnings, wrong values errors", async () => {
  const account = await newAccount();
  const [van, bus] = [await account.newTracker({ label: "Van" }), await account.newTracker({ label: "Bus" })];
  const { id: crane } = await account.must("/tag/create", { tag: { name: "crane", color: "000000" } });
  await account.must("/employee/create", { employee: { first_name: "Old", tracker_id: bus.id, hardware_key: "K9" } });
  const headers = [
    "first_name",
    "undefined",
    "phone",
    "hardware_key",
    "tracker_label",
    "tags",
    "lat",
    "lng",
    "address",
  ];
  const process = await runImport(
    account,
    EMPLOYEES,
    [...headers, "driver_license_valid_till"],
    [
      ["Zoë", "?", "49301", "K1", "Van", "crane, night", "52.5", "13.4", "Main St", "2031-05-02", "surplus"],
      ["Bo", "?", "", "", "Tram", "night,night", "", "", "Main St"],
      [],
      ["", "?", "+49"],
      ["Cy", "?", "", "", "Bus"],
      ["Di", "?", "", "K9", "", "x"],
      ["Ed", "?", "", "K1"],
      ["Flo", "?", "", "", "", "x".repeat(65)],
    ],
    { user_headers: [...headers, "until"] },
  );
  expect(process).toMatchObject({
    user_id: account.id,
    type: "Employee",
    status: "done",
    params: { headers: [...headers, "driver_license_valid_till"], user_headers: [...headers, "until"] },
    progress: {
      imported: 2,
      failed: 5,
      percent: 100,
      processed_lines: 8,
      warnings: [
        { line: 2, error: "location: must have lat and lng" },
        { line: 2, error: "tracker_label: is not the label of a tracker in use" },
      ],
      errors: [
        { line: 4, error: "first_name: is required; phone: must be digits without a plus sign" },
        { line: 5, error: "tracker_label: Tracker is already bound to an employee" },
        { line: 6, error: "hardware_key: Another employee has this key" },
        { line: 7, error: "hardware_key: Another employee has this key" },
        { line: 8, error: `tags: ${"x".repeat(65)} is too long` },
      ],
    },
  });

  const { list: tags } = await account.must("/tag/list", { filter: null });
  expect(tags.map(({ name }: Reply) => name)).toEqual(["crane", "night"]);
  const night = tags[1].id;
  const { list } = await account.must("/employee/list");
  expect(list).toMatchObject([
    { first_name: "Old", tracker_id: bus.id },
    {
      first_name: "Zoë",
      last_name: "",
      phone: "49301",
      hardware_key: "K1",
      tracker_id: van.id,
      tags: [crane, night],
      location: { lat: 52.5, lng: 13.4, address: "Main St", radius: 100 },
      driver_license_valid_till: "2031-05-02",
    },
    { first_name: "Bo", tracker_id: null, tags: [night], location: null },
  ]);
  expect((await account.must("/employee/list", { filter: "zoe" })).count).toBe(1);
  const day = (days: number) => `${new Date(systemNow() + days * DAY_MS).toISOString().slice(0, 10)} 00:00:00`;
  const { list: events } = await account.must("/history/tracker/list", {
    trackers: [van.id],
    from: day(-1),
    to: day(2),
    events: ["driver_changed"],
  });
  expect(events).toMatchObject([{ message: "Van: Zoë", tracker_id: van.id }]);
  expect(await failedLines(account, EMPLOYEES, process.id)).toBe(
    `\t?\t+49\nCy\t?\t\t\tBus\nDi\t?\t\tK9\t\tx\nEd\t?\t\tK1\nFlo\t?\t\t\t\t${"x".repeat(65)}\n`,
  );
  // An employee created afterwards gets the next id: the import has not reserved any.
  const { id } = await account.must("/employee/create", { employee: { first_name: "Next" } });
  expect(id).toBeGreaterThan(list[2].id);
});

test("an import of vehicles sets tracker and garage; a bound tracker and an unknown garage are errors of their row", async () => {
  const account = await newAccount();
  const tracker = await account.newTracker({ label: "Van" });
  const { id: garage_id } = await account.must("/garage/create", {
    garage: { organization_name: "North", mechanic_name: "", dispatcher_name: "" },
  });
  const process = await runImport(
    account,
    VEHICLES,
    ["label", "type", "subtype", "fuel_cost", "garage", "tracker_label", "tags"],
    [
      ["V1", "truck", "tipper", "1.5", "North", "Van", "cold"],
      ["V2", "", "", "", "", "Van"],
      ["V3", "car", "tipper"],
      ["V4", "", "", "", "South"],
    ],
  );
  expect(process).toMatchObject({ type: "Vehicle", progress: { imported: 1, failed: 3, warnings: [] } });
  expect(process.params.user_headers).toBeUndefined();
  expect(process.progress.errors).toMatchObject([
    { line: 2, error: "tracker_label: Tracker is already bound to a vehicle" },
    { line: 3, error: expect.stringContaining("subtype: must be a subtype of car") },
    { line: 4, error: "garage_id: is not the organization of a garage of yours" },
  ]);
  const { list } = await account.must("/vehicle/list");
  expect(list).toMatchObject([
    {
      label: "V1",
      type: "truck",
      fuel_cost: 1.5,
      garage_id,
      garage_organization_name: "North",
      tracker_id: tracker.id,
    },
  ]);
  expect(list[0].tags).toHaveLength(1);
});

test("an import makes no more tags than the account may have: the row is imported without them, with a warning", async () => {
  const account = await newAccount();
  await operator.must("/panel/user/update", { user_id: account.id, limits: { tags: 2 } });
  const rows = [
    ["Ann", "a,b"],
    ["Bo", "c,a"],
    ["Cy", "c,d"],
  ];
  const { progress } = await runImport(account, EMPLOYEES, ["first_name", "tags"], rows);
  expect(progress).toMatchObject({ imported: 3, failed: 0 });
  const error = "tags: Tags limit exceeded";
  expect(progress.warnings).toEqual([
    { line: 2, error },
    { line: 3, error },
  ]);
  const [a, b] = (await account.must("/tag/list", { filter: null })).list.map(({ id }: Reply) => id);
  const { list } = await account.must("/employee/list");
  expect(list.map(({ tags }: Reply) => tags)).toEqual([[a, b], [a], []]);
});

test("an import by a user who may not make tags imports the row without them, with a warning that names them", async () => {
  const account = await newAccount();
  const { id } = await account.must("/tag/create", { tag: { name: "a", color: "27A9E3" } });
  const importer = async (rights: string[]) => {
    const group = { label: "Clerks", privileges: { rights: ["employee_update", ...rights] } };
    const { id: group_id } = await account.must("/subuser/security_group/create", { group });
    const { id: subuser_id, hash } = await newSubUser(account);
    await account.must("/subuser/security_group/assign", { group_id, subuser_ids: [subuser_id] });
    return { must: (path: string, parameters = {}) => account.must(path, { ...parameters, hash }) };
  };
  const rows = [
    ["Ann", "a,b"],
    ["Bo", "b,c"],
  ];
  const tagsOf = async () => (await account.must("/employee/list")).list.map(({ tags }: Reply) => tags.length);
  const without = await runImport(await importer([]), EMPLOYEES, ["first_name", "tags"], rows);
  expect(without.progress).toMatchObject({ imported: 2, failed: 0 });
  const unknown = (names: string) => `tags: names no tag of yours: ${names}`;
  expect(without.progress.warnings).toEqual([
    { line: 1, error: unknown("b") },
    { line: 2, error: unknown("b, c") },
  ]);
  expect((await account.must("/tag/list")).list).toMatchObject([{ id }]);
  expect(await tagsOf()).toEqual([1, 0]);
  const { progress } = await runImport(await importer(["tag_update"]), EMPLOYEES, ["first_name", "tags"], rows);
  expect(progress).toMatchObject({ imported: 2, warnings: [] });
  expect(await tagsOf()).toEqual([1, 0, 2, 2]);
});

test("an import refuses an unknown or foreign file, a file without rows and wrong columns", async () => {
  const [account, rival] = [await sharedAccount(), await newAccount()];
  const filename = await newSheet(account, [["Ann"]]);
  const titles = { file: new File(["Name"], "a.csv"), parse_header: true };
  const { file_id: empty } = await account.must("/data/spreadsheet/parse", titles);
  const headers = ["first_name"];
  for (const [family, parameters, code] of [
    [EMPLOYEES, { filename: "nothing", headers }, 233],
    [EMPLOYEES, { filename: empty, headers }, 234],
    [EMPLOYEES, { filename, headers: [] }, 7],
    [EMPLOYEES, { filename, headers: ["label"] }, 7],
    [VEHICLES, { filename, headers }, 7],
    [EMPLOYEES, { filename: "", headers }, 7],
    [EMPLOYEES, { filename, headers, user_headers: [] }, 7],
  ] as const) {
    expect((await account.call(`${family}/start`, parameters)).status.code, JSON.stringify(parameters)).toBe(code);
  }
  expect((await rival.call(`${EMPLOYEES}/start`, { filename, headers })).status.code).toBe(233);
});

test("an import is read by its type and in both families, until it is finished", async () => {
  const account = await newAccount();
  const { id: process_id, ...process } = await runImport(account, EMPLOYEES, ["first_name"], [["Ann"]]);
  const read = { process_id, type: "employee" };
  expect((await account.must("/data/import/read", read)).value).toEqual({
    ...process,
    id: process_id,
    type: "employee",
  });
  for (const [path, parameters] of [
    [`${VEHICLES}/read`, { process_id }],
    [`${VEHICLES}/finish`, { process_id }],
    [`${EMPLOYEES}/read`, { process_id: UNKNOWN_ID }],
    ["/data/import/read", { ...read, type: "vehicle" }],
  ] as const) {
    expect((await account.call(path, parameters)).status.code, path).toBe(201);
  }
  expect((await account.call(`${EMPLOYEES}/download_failed`, { process_id })).status.code).toBe(204);
  const lists = async () => [
    (await account.must(`${EMPLOYEES}/list`)).list.length,
    (await account.must(`${VEHICLES}/list`)).list.length,
    (await account.must("/data/import/list")).list.length,
    (await account.must("/data/import/list", { types: ["vehicle"] })).list.length,
  ];
  expect(await lists()).toEqual([1, 0, 1, 0]);
  await account.must(`${EMPLOYEES}/finish`, { process_id });
  await account.must(`${EMPLOYEES}/finish`, { process_id });
  expect(await lists()).toEqual([0, 0, 0, 0]);
  expect((await account.must(`${EMPLOYEES}/read`, { process_id })).value.status).toBe("finished");
});

test("an import of one line does not wait for the thousands of others", async () => {
  const [busy, calm] = [await newAccount(), await newAccount()];
  const rows = Array.from({ length: 5000 }, (_, index) => [`Name ${index}`]);
  const start = async (account: Account, parameters: string[][]) => {
    const filename = await newSheet(account, parameters);
    return (await account.must(`${EMPLOYEES}/start`, { filename, headers: ["first_name"] })).id;
  };
  const long = [await start(busy, rows), await start(busy, rows)];
  const short = await start(calm, [["Ann"]]);
  const read = async (account: Account, process_id: number) =>
    (await account.must(`${EMPLOYEES}/read`, { process_id })).value;
  const sweeping = stack.fireCron("fleet");
  await vi.waitUntil(async () => (await read(calm, short)).status === "done", { timeout: 120_000 });
  expect((await read(busy, Number(long[1]))).status).not.toBe("done");
  await sweeping;
});
