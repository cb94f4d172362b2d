import { eq, inArray } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { nobody, type Principal, type Scope } from "#shared/caller/principal.ts";
import { openDatabase } from "#shared/database/open.ts";
import type { Page } from "#shared/operation/list-answer.ts";
import { foldText } from "#shared/text/fold.ts";
import { chanceOf } from "#test/tool/chance.ts";
import { serveDatabase } from "#test/tool/database/server.ts";
import { effort } from "#test/tool/effort.ts";
import { rowOf as employeeRowOf, SORTABLE as SORTABLE_EMPLOYEE, selectEmployees } from "../people/employee/queries.ts";
import { NewEmployee } from "../people/employee/schema.ts";
import { accountSize } from "../table/account-size.ts";
import { department } from "../table/people/department.ts";
import { employee } from "../table/people/employee.ts";
import { tracker } from "../table/tracker/tracker.ts";
import { garage } from "../table/vehicle/garage.ts";
import { vehicle } from "../table/vehicle/vehicle.ts";
import { SORTABLE as SORTABLE_VEHICLE, selectVehicles, rowOf as vehicleRowOf } from "../vehicle/queries.ts";
import { NewVehicle } from "../vehicle/schema.ts";
import type { ListSearch } from "./list-search.ts";

type Value = string | number | null;
/**
 * A row reduced to what a plain computation needs: the texts that it is found by, and the values that it is sorted by.
 */
type Thing = { id: number; tracker_id: number | null; texts: string[]; sorted: Record<string, Value> };

const LETTERS = [..."07aBä ж語🚚-%_\"'*(:ßİ"];
const [ACCOUNT, NEXT, LONG] = [41, 42, 43];
/** Labels of trackers, departments and garages, by their ids. */
const LABELS = ["7", "a0", "Жa", "% 7", "b_🚚", "語", '"0"', "aa", "-", "0 7"];
const IDS = LABELS.map((_, index) => index + 1);

const chance = chanceOf(11);
const db = openDatabase(await serveDatabase("fleet"));

beforeAll(async () => {
  for (const account_id of [ACCOUNT, NEXT]) {
    const labels = LABELS.map((label) => ({ account_id, label, label_folded: foldText(label) }));
    await db.insert(tracker).values(labels.map((row, source_id) => ({ ...row, source_id })));
    await db.insert(department).values(labels);
    const people = { mechanic_name: "", dispatcher_name: "" };
    const garages = labels.map(({ label, label_folded }) => ({
      organization_name: label,
      organization_name_folded: label_folded,
    }));
    await db.insert(garage).values(garages.map((names) => ({ account_id, ...names, ...people })));
  }
});

const KINDS = {
  vehicles: {
    table: vehicle,
    newRow: newVehicle,
    toThing: toVehicleThing,
    select: selectVehicles,
    by: SORTABLE_VEHICLE,
  },
  employees: {
    table: employee,
    newRow: newEmployee,
    toThing: toEmployeeThing,
    select: selectEmployees,
    by: SORTABLE_EMPLOYEE,
  },
} as const;

test.each(["vehicles", "employees"] as const)(
  "filtered lists of %s are found, counted, sorted and paged as a plain computation does it",
  async (kind) => {
    const { table, newRow, toThing, by } = KINDS[kind];
    // The ids of both accounts alternate.
    const rows = Array.from({ length: 60 }, (_, n) => [newRow(ACCOUNT, n), newRow(NEXT, n)]).flat();
    await db.insert(table).values(rows);
    const stored = () => db.select().from(table).where(eq(table.account_id, ACCOUNT)).orderBy(table.id).all();
    const check = async () => {
      const things = (await stored()).map(toThing as (row: object) => Thing);
      const checks = Array.from({ length: effort({ few: 12, many: 60 }) }, () => {
        const search = { filter: newFilter(things), sort: newSort(Object.keys(by)), ...newPart() };
        return { search, scope: IDS.filter(() => chance() < 0.5) };
      });
      await Promise.all(
        checks.flatMap(({ search, scope }) => [holds(kind, things, search, "all"), holds(kind, things, search, scope)]),
      );
    };
    await check();
    const before = await stored();
    for (const { id } of before.filter(() => chance() < 0.5)) {
      const { account_id, tracker_id, ...changes } = newRow(ACCOUNT, IDS.length);
      await db.update(table).set(changes).where(eq(table.id, id));
    }
    await check();
    const gone = before.filter(() => chance() < 0.3).map(({ id }) => id);
    await db.delete(table).where(inArray(table.id, gone));
    await check();
    await db.delete(table).where(eq(table.account_id, ACCOUNT));
    await holds(kind, [], { filter: "a", sort: null, offset: 0 }, "all");
    expect((await ask(kind, { filter: null, sort: null, offset: 0 }, "all", NEXT)).count).toBe(60);
  },
  60_000,
);

test("a filtered list longer than a database page has each thing once, in its order, filtered or not", async () => {
  const many = Array.from({ length: 1200 }, (_, n) => newVehicle(LONG, n + IDS.length));
  for (let n = 0; n < many.length; n += 400) await db.insert(vehicle).values(many.slice(n, n + 400));
  const rows = await db.select().from(vehicle).where(eq(vehicle.account_id, LONG)).orderBy(vehicle.id).all();
  const things = rows.map(toVehicleThing);
  for (const filter of effort({ few: [null, "a"], many: [null, "a", "7"] })) {
    for (const sort of [null, ["model=desc", "label=asc"], ["vin=asc", "max_speed=desc"]]) {
      await Promise.all([
        holds("vehicles", things, { filter, sort, offset: 0 }, "all", LONG),
        holds("vehicles", things, { filter, sort, offset: 7, limit: 1100 }, [1], LONG),
      ]);
    }
  }
});

test("account sizes count an account's things, and forget an account without any", async () => {
  const sizes = () =>
    db
      .select()
      .from(accountSize)
      .where(inArray(accountSize.account_id, [51, 52]))
      .all();
  await db.insert(vehicle).values([newVehicle(51, 20), newVehicle(51, 21), newVehicle(52, 20)]);
  await db.insert(employee).values(newEmployee(52, 20));
  const second = { account_id: 52, vehicles: 1, employees: 1 };
  expect(await sizes()).toEqual([{ account_id: 51, vehicles: 2, employees: 0 }, second]);
  await db.delete(vehicle).where(eq(vehicle.account_id, 51));
  expect(await sizes()).toEqual([second]);
  await db.delete(vehicle).where(eq(vehicle.account_id, 52));
  expect(await sizes()).toEqual([{ ...second, vehicles: 0 }]);
  await db.delete(employee).where(eq(employee.account_id, 52));
  expect(await sizes()).toEqual([]);
});

async function holds(
  kind: keyof typeof KINDS,
  things: Thing[],
  search: ListSearch,
  scope: Scope,
  account_id: number = ACCOUNT,
) {
  const { filter, offset, limit = things.length } = search;
  const seen = things.filter(({ tracker_id }) => scope === "all" || tracker_id === null || scope.includes(tracker_id));
  const found = seen.filter(({ texts }) => texts.some((text) => text.includes(foldText(filter ?? ""))));
  const sorted = found.toSorted((one, other) => comparison(search.sort ?? [], one, other)).map(({ id }) => id);
  const description = JSON.stringify({ ...search, scope });
  const answer = await ask(kind, search, scope, account_id);
  expect(answer, description).toEqual({ count: found.length, ids: sorted.slice(offset, offset + limit) });
}

async function ask(kind: keyof typeof KINDS, search: ListSearch, scope: Scope, account_id: number) {
  const principal: Principal = { ...nobody("none"), credential: "session", kind: "master", account_id, scope };
  const { count, page } = await KINDS[kind].select(db, principal, search);
  const ids: number[] = [];
  for (let part: Page<{ id: number }> | undefined = page; part; part = await part.next?.()) {
    ids.push(...part.items.map(({ id }) => id));
  }
  return { count, ids };
}

/** Texts by their bytes, nulls last in both directions, ties by id. */
function comparison(sort: string[], one: Thing, other: Thing): number {
  for (const option of sort) {
    const [name = "", direction] = option.split("=");
    const [a = null, b = null] = [one.sorted[name], other.sorted[name]];
    if (a === b) continue;
    if (a === null || b === null) return a === null ? 1 : -1;
    const order = typeof a === "number" ? a - Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
    if (order !== 0) return direction === "desc" ? -order : order;
  }
  return one.id - other.id;
}

/** A random filter. Half of them are pieces of existing texts. */
function newFilter(things: Thing[]): string | null {
  const length = Math.floor(chance() * 5);
  if (length === 0) return null;
  const [start, letters] = [chance(), [...(pick(pick(things).texts) ?? "")]];
  const at = Math.floor(start * letters.length);
  const there = letters.slice(at, at + length).join("");
  return chance() < 0.5 && there !== "" ? there : newText(length, length);
}

/** A random order by up to two columns; the first is often one that has an index. */
function newSort(names: string[]): string[] {
  const indexed = names.filter((name) => ["label", "model", "reg_number", "email", "first_name"].includes(name));
  const options = [chance() < 0.7 ? indexed : names, names].map(
    (some) => `${pick(some)}=${chance() < 0.5 ? "asc" : "desc"}`,
  );
  return options.slice(0, Math.floor(chance() * 3));
}

function newPart() {
  const [offset, limit] = [Math.floor(chance() * 8), Math.floor(chance() * 12)];
  return { offset: chance() < 0.5 ? 0 : offset, limit: chance() < 0.3 ? undefined : limit };
}

/** A random vehicle; the first ones of an account have trackers. */
function newVehicle(account_id: number, n: number) {
  const input = {
    tracker_id: IDS[n] ?? null,
    label: newText(1, 90),
    reg_number: newText(0, 6),
    vin: newText(0, 3),
    model: newText(0, 1),
    max_speed: chance() < 0.5 ? null : Math.floor(chance() * 3),
    garage_id: chance() < 0.3 ? pick(IDS) : null,
  };
  return { ...vehicleRowOf(NewVehicle.parse(input)), account_id };
}

function newEmployee(account_id: number, n: number) {
  const input = {
    tracker_id: IDS[n] ?? null,
    // Labels of other accounts' departments are not searched.
    department_id: account_id === ACCOUNT && chance() < 0.3 ? pick(IDS) : null,
    first_name: newText(1, 2),
    last_name: newText(0, 8),
    email: chance() < 0.5 ? "" : `a${Math.floor(chance() * 9)}@example.com`,
    phone: String(Math.floor(chance() * 1000)),
    driver_license_valid_till: chance() < 0.5 ? null : "2027-07-07",
    ssn: chance() < 0.5 ? null : newText(0, 3),
    location: chance() < 0.2 ? { lat: 1, lng: 2, radius: 3, address: newText(1, 250) } : null,
  };
  return { ...employeeRowOf(NewEmployee.parse(input)), account_id };
}

function toVehicleThing(row: typeof vehicle.$inferSelect): Thing {
  const { id, tracker_id, garage_id, label, reg_number, vin, model, max_speed } = row;
  const sorted = { ...texts(row, SORTABLE_VEHICLE), ...texts({ label, reg_number, vin, model }), max_speed };
  const linked = { tracker_label: labelOf(tracker_id), garage_organization_name: labelOf(garage_id) };
  return { id, tracker_id, texts: [label, reg_number, vin].map(foldText), sorted: { ...sorted, ...linked } };
}

function toEmployeeThing(row: typeof employee.$inferSelect): Thing {
  const { id, tracker_id, department_id, location } = row;
  const linked = { object_label: labelOf(tracker_id), department_label: labelOf(department_id) };
  const address = location?.address ? foldText(location.address) : null;
  const sorted = { ...texts(row, SORTABLE_EMPLOYEE), ...linked, address };
  const found = Object.values({ ...sorted, id: String(id), ID: null });
  return { id, tracker_id, texts: found.filter((text) => typeof text === "string"), sorted };
}

/** The values that a row is sorted by, under the columns' names, and its id as `id` and `ID`. */
function texts(row: Record<string, unknown>, by: Record<string, unknown> = row): Record<string, Value> {
  const own = Object.keys(by).map((name) => {
    const value = row[name === "tyres_size" ? "tyre_size" : name === "ID" ? "id" : name] as Value | undefined;
    return [name, typeof value === "string" ? foldText(value) : (value ?? null)] as const;
  });
  return Object.fromEntries(own);
}

function labelOf(id: number | null) {
  return id === null ? null : foldText(LABELS[id - 1] ?? "");
}

function newText(lowest: number, highest: number) {
  const length = lowest + Math.floor(chance() * (highest - lowest + 1));
  return Array.from({ length }, () => pick(LETTERS)).join("");
}

function pick<T>(some: readonly T[]): T {
  // `chance()` is below 1, so the index is below the length.
  return some[Math.floor(chance() * some.length)] as T;
}
