import { read, utils } from "@e965/xlsx";
import { expect, test } from "vitest";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { type Account, newAccount, type Reply, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { pagesOf } from "#test/tool/document/pdf.ts";
import { effort } from "#test/tool/effort.ts";
import { stack } from "#test/tool/system/stack.ts";

const ZONE = "America/New_York";
const depot = { lat: 40, lng: 8, address: "Depot", precision: 5 };
const shop = { lat: 41, lng: 8.5, address: "Äcker 4" };

function entry(tracker_id: number, start: string, end: string, more: object = {}) {
  const dates = { start_date: `2026-03-${start}:00`, end_date: `2026-03-${end}:00` };
  return { tracker_id, ...dates, type: "work", start_location: depot, end_location: shop, length: 12.5, ...more };
}

async function fleetOf(more: object = {}) {
  const account = await newAccount({ plan: {}, time_zone: ZONE, ...more });
  const { id: tracker_id } = await account.newTracker();
  return { account, tracker_id };
}

const MARCH = { from: "2026-03-01 00:00:00", to: "2026-03-31 23:59:59" };

async function commentsOf(account: Account, tracker_id: number, more: object = {}) {
  const { list } = await account.must("/driver/journal/entry/list", { tracker_id, ...MARCH, ...more });
  return list.map(({ comment }: Reply) => comment);
}

test("driver/journal/entry/create stores entries as given; update changes type and comment alone", async () => {
  const { account, tracker_id } = await fleetOf();
  const { id: employee_id } = await account.must("/employee/create", { employee: { first_name: "Ann" } });
  const more = { employee_id, comment: "To the shop", start_odometer: 50.2, end_odometer: 62.7 };
  const input = entry(tracker_id, "02 07:03", "02 08:05", more);
  await account.must("/driver/journal/entry/create", { entries: [input] });
  const read = async () => (await account.must("/driver/journal/entry/list", { tracker_id, ...MARCH })).list;
  const [{ id }] = await read();
  expect(await read()).toEqual([{ id, ...input }]);
  await account.must("/driver/journal/entry/update", { entry: { id, type: "personal" } });
  const personal = { id, ...input, type: "personal" };
  expect(await read()).toEqual([personal]);
  const changed = entry(tracker_id + 1, "03 07:03", "03 08:05", { employee_id: employee_id + 1, start_odometer: 1 });
  const fixed = { ...changed, end_odometer: 2, length: 3, start_location: { lat: 1, lng: 2 }, end_location: null };
  for (const [member, value] of Object.entries(fixed)) {
    if (member === "type" || value === null) continue;
    const reply = await account.call("/driver/journal/entry/update", { entry: { id, type: "other", [member]: value } });
    const errors = [{ parameter: `entry.${member}`, error: "must be null or as it is" }];
    expect(reply, member).toMatchObject({ status: { code: 7 }, errors });
  }
  await account.must("/driver/journal/entry/update", { entry: { ...personal, length: null, comment: "" } });
  expect(await read()).toEqual([{ ...personal, comment: "" }]);
  await account.must("/driver/journal/entry/update", { entry: { id, comment: null } });
  expect(await read()).toEqual([{ ...personal, comment: null }]);
  await account.must("/driver/journal/entry/delete", { entry_ids: [id, id] });
  expect(await read()).toEqual([]);
});

test("driver/journal/entry/list and download give five years in any order, and refuse more (211)", async () => {
  const { account, tracker_id } = await fleetOf();
  const ask = async (path: string, from: string, more: object) => {
    const to = "2026-03-31 23:59:59";
    return (await account.call(path, { tracker_id, from, to, sort: ["start_date=desc"], ...more })).status?.code;
  };
  for (const [path, more] of [
    ["/driver/journal/entry/list", {}],
    ["/driver/journal/entry/download", { format: "xlsx" }],
  ] as const) {
    expect(await ask(path, "2021-03-31 23:59:59", more)).toBeUndefined();
    expect(await ask(path, "2021-03-31 23:59:58", more)).toBe(211);
    expect(await ask(path, "1226-03-31 23:59:58", more)).toBe(211);
    expect(await ask(path, "1226-03-31 23:59:58", { ...more, entry_ids: [] })).toBeUndefined();
  }
});

test("driver/journal/entry/list finds entries whose dates meet the range, or by their ids", async () => {
  const { account, tracker_id } = await fleetOf();
  const { id: other } = await account.newTracker();
  await account.must("/driver/journal/entry/create", {
    entries: [
      entry(tracker_id, "05 10:00", "05 12:00", { comment: "b", type: "personal" }),
      entry(tracker_id, "02 10:00", "02 12:00", { comment: "a" }),
      entry(tracker_id, "20 10:00", "21 12:00", { comment: "c", type: "other" }),
      entry(other, "05 10:00", "05 12:00", { comment: "other tracker" }),
    ],
  });
  expect(await commentsOf(account, tracker_id)).toEqual(["a", "b", "c"]);
  const during = (from: string, to: string) =>
    commentsOf(account, tracker_id, { from: `2026-03-${from}`, to: `2026-03-${to}` });
  expect(await during("05 12:00:00", "20 10:00:00")).toEqual(["b", "c"]);
  expect(await during("05 12:00:01", "20 09:59:59")).toEqual([]);
  expect(await during("20 11:00:00", "20 11:00:00")).toEqual(["c"]);
  expect(await commentsOf(account, tracker_id, { types: ["work", "other"] })).toEqual(["a", "c"]);
  expect(await commentsOf(account, other)).toEqual(["other tracker"]);
  const { list } = await account.must("/driver/journal/entry/list", { tracker_id, ...MARCH });
  const entry_ids = list.slice(1).map(({ id }: Reply) => id);
  const byIds = await account.must("/driver/journal/entry/list", { entry_ids: [...entry_ids, UNKNOWN_ID] });
  expect(byIds.list).toEqual(list.slice(1));
  expect(await commentsOf(account, other, { entry_ids, from: undefined, to: undefined })).toEqual([]);
});

test("driver/journal/entry/list sorts dates by their day in the caller's zone, and other columns by their value", async () => {
  const { account, tracker_id } = await fleetOf();
  const newDriver = async (first_name: string, last_name: string) =>
    (await account.must("/employee/create", { employee: { first_name, last_name } })).id;
  const [zoe, ann] = [await newDriver("Zoë", "Äber"), await newDriver("Ann", "Zander")];
  await account.must("/driver/journal/entry/create", {
    entries: [
      // 23:30 in New York is the next day in UTC.
      entry(tracker_id, "02 23:30", "03 00:30", { comment: "a", employee_id: ann, start_location: shop }),
      entry(tracker_id, "02 10:00", "02 11:00", { comment: "b", employee_id: zoe, type: "personal" }),
      entry(tracker_id, "08 01:00", "08 04:00", { comment: "c", type: "other", end_location: depot }),
    ],
  });
  const sorted = (...sort: string[]) => commentsOf(account, tracker_id, { sort });
  // Entries of one day keep the order in which they were stored.
  expect(await sorted("start_date=asc")).toEqual(["a", "b", "c"]);
  expect(await sorted("start_date=desc")).toEqual(["c", "a", "b"]);
  expect(await sorted("end_date=asc", "type=desc")).toEqual(["b", "a", "c"]);
  expect(await sorted("start_datetime=asc")).toEqual(["b", "a", "c"]);
  expect(await sorted("end_datetime=desc")).toEqual(["c", "a", "b"]);
  expect(await sorted("start_address=asc")).toEqual(["a", "b", "c"]);
  expect(await sorted("end_address=desc")).toEqual(["c", "a", "b"]);
  expect(await sorted("driver=asc")).toEqual(["b", "a", "c"]);
  expect(await sorted("type=desc")).toEqual(["a", "b", "c"]);
  expect(await sorted()).toEqual(["a", "b", "c"]);
  const six = ["type=asc", "driver=asc", "start_date=asc", "end_date=asc", "start_address=asc", "end_address=asc"];
  expect(await sorted(...six)).toHaveLength(3);
  const seventh = { tracker_id, ...MARCH, sort: [...six, "type=asc"] };
  expect((await account.call("/driver/journal/entry/list", seventh)).errors[0].parameter).toBe("sort");
  const wrong = { tracker_id, ...MARCH, sort: ["length=asc"] };
  expect((await account.call("/driver/journal/entry/list", wrong)).errors[0].parameter).toBe("sort.0");
});

test("driver/journal/entry/list gives more entries than a database page whole, with their dates in the caller's form", async () => {
  const { account, tracker_id } = await fleetOf();
  const two = (value: number) => String(value).padStart(2, "0");
  const entries = Array.from({ length: 510 }, (_, index) => {
    const [day, hour] = [two(1 + Math.floor(index / 20)), two(4 + (index % 20))];
    return entry(tracker_id, `${day} ${hour}:00`, `${day} ${hour}:30`);
  });
  await account.must("/driver/journal/entry/create", { entries });
  const { list } = await account.must("/driver/journal/entry/list", { tracker_id, ...MARCH });
  const starts = entries.map(({ start_date }) => start_date);
  expect(list.map(({ start_date }: Reply) => start_date).toSorted()).toEqual(starts.toSorted());
});

test("driver/journal/entry/create refuses overlapping entries of one tracker (247) and stores none of the request", async () => {
  const { account, tracker_id } = await fleetOf();
  const { id: other } = await account.newTracker();
  const create = (...entries: object[]) => account.call("/driver/journal/entry/create", { entries });
  expect((await create(entry(tracker_id, "02 10:00", "02 12:00", { comment: "there" }))).success).toBe(true);
  const free = entry(tracker_id, "09 10:00", "09 12:00");
  for (const [start, end] of [
    ["02 11:00", "02 11:30"],
    ["02 09:00", "02 10:01"],
    ["02 11:59", "02 13:00"],
    ["01 00:00", "03 00:00"],
    ["02 10:00", "02 12:00"],
  ] as const) {
    expect((await create(free, entry(tracker_id, start, end))).status.code, start).toBe(247);
  }
  expect((await create(free, entry(tracker_id, "09 11:59", "09 13:00"))).status.code).toBe(247);
  expect(await commentsOf(account, tracker_id)).toEqual(["there"]);
  // Entries that only touch, and those of other trackers, do not overlap.
  const touching = [entry(tracker_id, "02 12:00", "02 13:00"), entry(tracker_id, "02 09:00", "02 10:00")];
  expect((await create(...touching, entry(other, "02 10:00", "02 12:00"))).success).toBe(true);
  const alike = Array.from({ length: 5 }, () => create(entry(tracker_id, "10 10:00", "10 12:00")));
  const codes = (await Promise.all(alike)).map(({ success, status }) => (success ? "stored" : status.code));
  expect(codes.toSorted()).toEqual([247, 247, 247, 247, "stored"]);
});

test.each([
  ["id", 5],
  ["type", "holiday"],
  ["start_location", { lat: 91, lng: 0 }],
  ["end_location", null],
  ["length", -1],
  ["start_odometer", "far"],
  ["comment", "x".repeat(1025)],
  ["end_date", "2026-03-02 10:00:00"],
  ["tracker_id", UNKNOWN_ID],
])("driver/journal/entry/create refuses a %s of %j by name, and stores none of the request", async (member, wrong) => {
  const { account, tracker_id } = await fleetOf();
  const right = entry(tracker_id, "03 10:00", "03 12:00");
  const entries = [right, { ...entry(tracker_id, "02 10:00", "02 12:00"), [member]: wrong }];
  const reply = await account.call("/driver/journal/entry/create", { entries });
  expect(reply.status.code).toBe(7);
  expect(reply.errors[0].parameter).toMatch(new RegExp(`^entries\\.1\\.${member}`));
  expect(await commentsOf(account, tracker_id)).toEqual([]);
});

test("driver/journal/entry/list and create refuse missing ranges, trackers, drivers and ids, each by its own code", async () => {
  const { account, tracker_id } = await fleetOf();
  const rival = await fleetOf();
  const list = (input: object) => account.call("/driver/journal/entry/list", input);
  for (const input of [{}, { from: MARCH.from }, { to: MARCH.to }, { from: MARCH.to, to: MARCH.from }]) {
    expect((await list({ tracker_id, ...input })).errors[0].parameter).toBe("interval");
  }
  expect((await list(MARCH)).errors[0].parameter).toBe("tracker_id");
  expect((await list({ tracker_id: rival.tracker_id, ...MARCH })).errors[0].parameter).toBe("tracker_id");
  const { id: foreigner } = await rival.account.must("/employee/create", { employee: { first_name: "Eve" } });
  const input = entry(tracker_id, "02 10:00", "02 12:00", { employee_id: foreigner });
  const refused = await account.call("/driver/journal/entry/create", { entries: [input] });
  expect(refused).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "entries.0.employee_id" }] });

  await account.must("/driver/journal/entry/create", { entries: [{ ...input, employee_id: null }] });
  const [{ id }] = (await list({ tracker_id, ...MARCH })).list;
  const foreign = await rival.account.call("/driver/journal/entry/update", { entry: { id, type: "other" } });
  expect(foreign.status.code).toBe(204);
  expect((await rival.account.call("/driver/journal/entry/delete", { entry_ids: [id] })).status.code).toBe(217);
  expect((await account.call("/driver/journal/entry/delete", { entry_ids: [id, UNKNOWN_ID] })).status.code).toBe(217);
  expect(await commentsOf(account, tracker_id)).toHaveLength(1);
});

test("driver/journal/entry/create names the unknown employee of a later entry, and stores none", async () => {
  const { account, tracker_id } = await fleetOf();
  const { id: employee_id } = await account.must("/employee/create", { employee: { first_name: "Ann" } });
  const entries = [
    entry(tracker_id, "02 10:00", "02 12:00", { employee_id }),
    entry(tracker_id, "03 10:00", "03 12:00", { employee_id: UNKNOWN_ID }),
  ];
  const refused = await account.call("/driver/journal/entry/create", { entries });
  expect(refused).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "entries.1.employee_id" }] });
  expect(await commentsOf(account, tracker_id)).toEqual([]);
});

test("driver/journal entries of a blocked tracker are readable, and every change of them answers 208", async () => {
  const { account, tracker_id } = await fleetOf();
  await account.must("/driver/journal/entry/create", { entries: [entry(tracker_id, "02 10:00", "02 12:00")] });
  const list = async (search: object) => (await account.must("/driver/journal/entry/list", search)).list;
  const [stored] = await list({ tracker_id, ...MARCH });
  await account.block(tracker_id);
  expect(await list({ tracker_id, ...MARCH })).toEqual([stored]);
  expect(await list({ entry_ids: [stored.id] })).toEqual([stored]);
  expect((await download(account, { tracker_id, ...MARCH, format: "xlsx" })).headers.get("content-type")).toContain(
    "spreadsheetml",
  );
  for (const [path, parameters] of Object.entries({
    "entry/create": { entries: [entry(tracker_id, "03 10:00", "03 12:00")] },
    "entry/update": { entry: { id: stored.id, type: "other" } },
    "entry/delete": { entry_ids: [stored.id] },
    "proposal/list": { tracker_id, ...MARCH },
  })) {
    expect((await account.call(`/driver/journal/${path}`, parameters)).status.code, path).toBe(208);
  }
  expect(await list({ tracker_id, ...MARCH })).toEqual([stored]);
});

test("driver/journal calls answer 236 without the tariff's feature", async () => {
  const { account, tracker_id } = await fleetOf();
  await account.must("/driver/journal/entry/create", { entries: [entry(tracker_id, "02 10:00", "02 12:00")] });
  const [{ id }] = (await account.must("/driver/journal/entry/list", { tracker_id, ...MARCH })).list;
  await account.changeTariff({ features: ["statuses"] });
  for (const [path, parameters] of Object.entries({
    "entry/list": { tracker_id, ...MARCH },
    "entry/create": { entries: [entry(tracker_id, "03 10:00", "03 12:00")] },
    "entry/update": { entry: { id, type: "other" } },
    "entry/delete": { entry_ids: [id] },
    "proposal/list": { tracker_id, ...MARCH },
  })) {
    expect((await account.call(`/driver/journal/${path}`, parameters)).status.code, path).toBe(236);
  }
});

async function download(account: Account, parameters: object) {
  const body = JSON.stringify({ hash: account.hash, ...parameters });
  const response = await fetch(`${stack.baseUrl}/driver/journal/entry/download`, { method: "POST", body });
  return { headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
}

function rowsOf(bytes: Uint8Array) {
  const { SheetNames, Sheets } = read(bytes);
  expect(SheetNames).toHaveLength(1);
  const [sheet = {}] = Object.values(Sheets);
  return utils.sheet_to_json<unknown[]>(sheet, { header: 1 }).map((row) => [...row].map((cell) => cell ?? null));
}

test("driver/journal/entry/download makes a sheet in the order and groups asked for, with totals", async () => {
  const { account, tracker_id } = await fleetOf();
  const { id: employee_id } = await account.must("/employee/create", {
    employee: { first_name: "Änne", last_name: "Lee" },
  });
  await account.must("/driver/journal/entry/create", {
    entries: [
      entry(tracker_id, "05 10:00", "05 12:00", { type: "personal", comment: "=1+1" }),
      entry(tracker_id, "02 10:00", "02 12:00", { employee_id, start_odometer: 50.25, end_odometer: 62.75 }),
      entry(tracker_id, "05 22:00", "05 23:00", { length: 0.123 }),
    ],
  });
  const titles = [
    ...["Start", "End", "From", "To", "Driver", "Tracker", "Purpose"],
    ...["Odometer Start, km", "Odometer End, km", "Length, km", "Comment"],
  ];
  const march = (start: string, end: string) => [`2026-03-${start}:00`, `2026-03-${end}:00`, "Depot", "Äcker 4"];
  const first = [...march("02 10:00", "02 12:00"), "Lee Änne", "Van 7", "Work", 50.25, 62.75, 12.5];
  const second = [...march("05 10:00", "05 12:00"), null, "Van 7", "Personal", null, null, 12.5, "=1+1"];
  const third = [...march("05 22:00", "05 23:00"), null, "Van 7", "Work", null, null, 0.12];
  const total = (length: number) => ["Total", ...Array(8).fill(null), length];
  const head = [["Driver journal"], ["Van 7, 2026-03-01 00:00:00 – 2026-03-31 23:59:59"], [], titles];
  const options = { tracker_id, ...MARCH, format: "xlsx" };

  const plain = await download(account, options);
  expect(plain.headers.get("content-type")).toBe("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
  expect(plain.headers.get("content-disposition")).toContain('filename="Driver journal Van 7, 2026-03-01');
  expect(rowsOf(plain.bytes)).toEqual([...head, first, second, third, total(25.12)]);
  for (const format of ["xls", "xlsx"]) {
    const byType = await download(account, { ...options, format, group_by: "type", add_filename_header: false });
    expect(byType.headers.get("content-disposition")).toBeNull();
    const groups = [["Work"], first, third, total(12.62), ["Personal"], second, total(12.5)];
    expect(rowsOf(byType.bytes)).toEqual([...head, ...groups]);
  }
  const byDate = await download(account, { ...options, group_by: "date", sort: ["start_datetime=desc"] });
  const days = [["2026-03-05"], third, second, total(12.62), ["2026-03-02"], first, total(12.5)];
  expect(rowsOf(byDate.bytes)).toEqual([...head, ...days]);
  const personal = await download(account, { ...options, types: ["personal"] });
  expect(rowsOf(personal.bytes)).toEqual([...head, second, total(12.5)]);
});

test("driver/journal/entry/download uses the user's language and units, takes ids, and makes an empty document", async () => {
  const { account, tracker_id } = await fleetOf({ locale: "de_DE" });
  await account.must("/user/settings/update", { measurement_system: "imperial" });
  await account.must("/driver/journal/entry/create", {
    entries: [entry(tracker_id, "05 10:00", "05 12:00", { length: 16.09344 })],
  });
  const [{ id }] = (await account.must("/driver/journal/entry/list", { tracker_id, ...MARCH })).list;
  const rows = rowsOf((await download(account, { entry_ids: [id], format: "xls" })).bytes);
  expect(rows[0]).toEqual(["Fahrtenbuch"]);
  expect(rows[3]).toContain("Strecke, mi");
  expect(rows[4]?.[9]).toBe(10);
  const empty = await download(account, { entry_ids: [UNKNOWN_ID], format: "xlsx" });
  expect(rowsOf(empty.bytes).at(-1)).toEqual(["Summe", ...Array(8).fill(null), 0]);
});

test("driver/journal/entry/download makes a PDF of as many pages as needed", async () => {
  const { account, tracker_id } = await fleetOf();
  const two = (number: number) => String(number).padStart(2, "0");
  const entries = Array.from({ length: 400 }, (_, index) => {
    const start = `${two(1 + Math.floor(index / 16))} ${two(5 + (index % 16))}`;
    return entry(tracker_id, `${start}:00`, `${start}:30`, { comment: "Журнал, Ünïcödé" });
  });
  await account.must("/driver/journal/entry/create", { entries });
  const { headers, bytes } = await download(account, { tracker_id, ...MARCH, format: "pdf" });
  expect(headers.get("content-type")).toBe("application/pdf");
  const text = new TextDecoder("latin1").decode(bytes);
  expect(text.slice(0, 5)).toBe("%PDF-");
  expect(text.trimEnd().endsWith("%%EOF")).toBe(true);
  expect(text.match(/\/Type \/Page\n/g)?.length).toBeGreaterThan(5);
});

/** Repeats each entry of a tracker 19 times, so much later each time. */
const REPEATED = `WITH RECURSIVE time(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM time WHERE number < 19)
  INSERT INTO journal_entry (account_id, tracker_id, start_date, end_date, type, start_location, end_location, length,
    start_address_folded, end_address_folded)
  SELECT account_id, tracker_id, start_date + number * ?1, end_date + number * ?1, type, start_location, end_location,
    length, start_address_folded, end_address_folded FROM journal_entry, time WHERE tracker_id = ?2`;

test("driver/journal/entry/create stores a thousand entries a call, and download makes a document of 20,000 and no more", async () => {
  const { account, tracker_id } = await fleetOf({ time_zone: "UTC" });
  const start = Date.parse("2026-01-01T00:00:00Z");
  const at = (minute: number) => new Date(start + minute * MINUTE_MS).toISOString().slice(0, 19).replace("T", " ");
  const thousand = (first: number, count = 1000) => ({
    entries: Array.from({ length: count }, (_, index) => ({
      ...entry(tracker_id, "", ""),
      start_date: at(20 * (first + index)),
      end_date: at(20 * (first + index) + 19),
    })),
  });
  await account.must("/driver/journal/entry/create", thousand(0));
  await stack.change("fleet", REPEATED, 20 * 1000 * MINUTE_MS, tracker_id);
  const again = await account.call("/driver/journal/entry/create", thousand(19_999));
  expect(again.status.code).toBe(247);
  const options = { tracker_id, from: at(0), to: at(500_000), format: "pdf" };
  // 5,454 rows with their titles and their total are 60,000 cells of an XLS.
  const [rows, longest] = [effort({ few: 1000, many: 20_000 }), effort({ few: 1000, many: 5452 })];
  const all = await download(account, { ...options, to: at(20 * rows - 1) });
  expect(all.headers.get("content-type")).toBe("application/pdf");
  const text = pagesOf(all.bytes).join("\n");
  expect(new Set(text.match(/^\d{4}-\d\d-\d\d \d\d:[024]0:00$/gm)).size).toBe(rows);
  const long = await account.call("/driver/journal/entry/download", { ...options, format: "xls" });
  expect(long).toMatchObject({ status: { code: 267 }, errors: [{ parameter: "format" }] });
  expect(long.errors[0].error).toMatch(
    /^takes at most 60000 cells with 2000000 characters; these are 220022 with \d+$/,
  );
  for (const format of ["xls", "xlsx"]) {
    const { bytes } = await download(account, { ...options, to: at(20 * longest - 1), format });
    expect(rowsOf(bytes)).toHaveLength(4 + longest + 1);
  }
  await account.must("/driver/journal/entry/create", thousand(20_000, 1));
  const refused = await account.call("/driver/journal/entry/download", options);
  expect(refused).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "interval" }] });
});

test("driver/journal/entry/download makes all of three documents that an account asks for at once", async () => {
  const { account, tracker_id } = await fleetOf();
  const options = { tracker_id, ...MARCH, format: "pdf" };
  const all = await Promise.all(Array.from({ length: 3 }, () => download(account, options)));
  expect(all.map(({ headers }) => headers.get("content-type"))).toEqual(Array(3).fill("application/pdf"));
});

test("driver/journal/entry/download refuses what driver/journal/entry/list refuses", async () => {
  const { account, tracker_id } = await fleetOf();
  const call = (more: object) =>
    account.call("/driver/journal/entry/download", { tracker_id, ...MARCH, format: "pdf", ...more });
  for (const [parameter, more] of [
    ["tracker_id", { tracker_id: UNKNOWN_ID }],
    ["tracker_id", { tracker_id: undefined }],
    ["interval", { from: undefined }],
    ["format", { format: "csv" }],
    ["group_by", { group_by: "driver" }],
    ["sort.0", { sort: ["length=asc"] }],
  ] as const) {
    expect(await call(more)).toMatchObject({ status: { code: 7 }, errors: [{ parameter }] });
  }
  await account.changeTariff({ features: [] });
  expect((await call({})).status.code).toBe(236);
});
