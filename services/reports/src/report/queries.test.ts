import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { serveDatabase } from "#test/tool/database/server.ts";
import { nobody, type Principal } from "../../../../shared/caller/principal.ts";
import { openDatabase } from "../../../../shared/database/open.ts";
import { ownerOf } from "../outbox/audit.ts";
import { auditOutbox } from "../table/audit-outbox.ts";
import {
  deleteReports,
  insertReport,
  leaseReport,
  releaseReport,
  removeAccountReports,
  removeReport,
  requireReport,
  selectRemoved,
  selectReports,
  selectUnleased,
  storeProgress,
} from "./queries.ts";

const db = openDatabase(await serveDatabase("reports"));
let users = 0;

const LIMITS = { parallel: 3, kept: 2 };
const request = {
  ...{ geocoder: "osm", trackers: [1, 2], include_places_in_address: true, include_zones_in_address: true },
  time_filter: { from: "00:00:00", to: "23:59:59", weekdays: [1] },
  plugin: { plugin_id: 4, show_seconds: false },
  locale_info: { locale: "en_US", time_zone: "UTC", measurement_system: "metric" },
};

function newReader(): Principal {
  users++;
  return { ...nobody("none"), account_id: 1000 + users, user_id: users, scope: "all" };
}

function insert(reader: Principal, limits = LIMITS) {
  const { account_id, user_id } = reader;
  const row = {
    account_id,
    user_id,
    title: "",
    created: 0,
    from: 0,
    to: 1,
    request,
    reader,
    sheets: 2,
    trackers: [1, 2],
  };
  return insertReport(db, { ...row, state: "waiting" }, limits, ownerOf(reader, 0));
}

/** The reader's audit entries, in the order of the changes. */
async function recordsOf({ account_id, user_id }: Principal) {
  const entries = (await db.select().from(auditOutbox).orderBy(sql`rowid`)).map(({ entry }) => entry);
  const own = entries.filter((entry) => entry.account_id === account_id && entry.user_id === user_id);
  return own.map(({ entry_category, action, entry_id }) => `${entry_category} ${action} ${entry_id}`);
}

/** Makes both sheets. */
async function finish(id: number) {
  const first = await leaseReport(db, id, 0, 10);
  const second = first && (await storeProgress(db, first, 0, 20));
  return second && storeProgress(db, second, 0, 30);
}

test("a user has only so many reports in progress, also when many are asked for at once", async () => {
  const reader = newReader();
  const answers = await Promise.allSettled(Array.from({ length: 10 }, () => insert(reader)));
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  for (const answer of answers) if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: 15 });
  const [first] = await selectReports(db, reader);
  await finish(first?.id ?? 0);
  await insert(reader);
  await insert({ ...newReader(), account_id: reader.account_id });
});

test("the newest reports are kept, and those in progress in any case", async () => {
  const reader = newReader();
  const ids: number[] = [];
  for (let count = 0; count < 4; count++) {
    const id = await insert(reader);
    ids.push(id);
    if (count !== 1) await finish(id);
  }
  const kept = (await selectReports(db, reader)).map(({ id }) => id);
  expect(kept).toEqual([ids[3], ids[2], ids[1]]);
  await expect(requireReport(db, reader, ids[0] ?? 0)).rejects.toMatchObject({ code: 204 });
  const removals = (await recordsOf(reader)).filter((record) => record.startsWith("report delete"));
  expect(removals).toEqual([`report delete ${ids[0]}`]);
});

test("lease gives a report to one worker at a time, whose successor goes on where it was, and a lost lease changes nothing", async () => {
  const reader = newReader();
  const id = await insert(reader);
  const [first, second] = await Promise.all([leaseReport(db, id, 100, 200), leaseReport(db, id, 100, 200)]);
  const dying = first ?? second;
  expect([first, second].filter(Boolean)).toHaveLength(1);
  if (!dying) throw new Error("nobody has it");
  const noted = await storeProgress(db, dying, 100, 300);
  expect(noted).toMatchObject({ done: 1, state: "waiting" });
  // The other call has stored this sheet already.
  expect(await storeProgress(db, dying, 100, 400)).toBeUndefined();
  expect(await selectUnleased(db, 250, 10_000)).not.toContain(id);
  expect(await selectUnleased(db, 300, 10_000)).toContain(id);
  const next = await leaseReport(db, id, 300, 500);
  expect(next).toMatchObject({ done: 1, tries: 1 });
  if (noted) expect(await storeProgress(db, noted, 300, 600)).toBeUndefined();
  if (next) expect(await storeProgress(db, next, 300, 600)).toMatchObject({ done: 2, state: "finished" });
  expect(await leaseReport(db, id, 10_000, 20_000)).toBeUndefined();
});

test("the end of a report is recorded once, also when its message comes again or its last sheet is stored twice", async () => {
  const reader = newReader();
  const id = await insert(reader);
  const first = await leaseReport(db, id, 0, 10);
  const last = first && (await storeProgress(db, first, 0, 20));
  if (!last) throw new Error("the first sheet is not stored");
  const stored = await Promise.all([storeProgress(db, last, 20, 30), storeProgress(db, last, 20, 40)]);
  expect(stored.filter(Boolean)).toMatchObject([{ state: "finished" }]);
  expect(await leaseReport(db, id, 100, 200)).toBeUndefined();
  expect(await recordsOf(reader)).toEqual([`report create ${id}`, `report complete ${id}`]);
});

test("selectReports and requireReport hide a report from a user who does not see all of its trackers any more", async () => {
  const reader = newReader();
  const id = await insert(reader);
  for (const scope of ["all" as const, [1, 2, 3]]) {
    expect(await selectReports(db, { ...reader, scope })).toMatchObject([{ id }]);
    expect(await requireReport(db, { ...reader, scope }, id)).toMatchObject({ id });
  }
  for (const scope of [[1], []]) {
    expect(await selectReports(db, { ...reader, scope })).toEqual([]);
    await expect(requireReport(db, { ...reader, scope }, id)).rejects.toMatchObject({ code: 204 });
  }
});

test("release leaves a report to the next worker at once", async () => {
  const id = await insert(newReader());
  const row = await leaseReport(db, id, 0, 1000);
  if (row) await releaseReport(db, row);
  expect(await leaseReport(db, id, 1, 1000)).toMatchObject({ id, tries: 2 });
});

test("a removed report is invisible at once and deleted by the sweep, and an account's reports are removed with it", async () => {
  const [reader, other] = [newReader(), newReader()];
  const [id, kept] = [await insert(reader), await insert(other)];
  await removeReport(db, reader, id, ownerOf(reader, 0));
  await expect(removeReport(db, reader, id, ownerOf(reader, 0))).rejects.toMatchObject({ code: 201 });
  await expect(removeReport(db, reader, kept, ownerOf(reader, 0))).rejects.toMatchObject({ code: 201 });
  expect(await recordsOf(reader)).toEqual([`report create ${id}`, `report delete ${id}`]);
  await removeAccountReports(db, [other.account_id]);
  const removed = (await selectRemoved(db, 100)).map((row) => row.id);
  expect(removed).toEqual(expect.arrayContaining([id, kept]));
  await deleteReports(db, removed);
  expect(await selectRemoved(db, 100)).toEqual([]);
});
