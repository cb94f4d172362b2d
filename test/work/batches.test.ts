import { expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { type Account, newAccount, type Reply, sharedAccount } from "../tool/call/account.ts";

/** A call that reads rows; what a row needs besides, and where its item shows a place. */
type Batch = {
  owner: "vehicle" | "employee" | "task" | "zone" | "place";
  name: string;
  rest: [field: string, cell: string][];
  placeOf?(item: Reply): Reply;
};

const TOMORROW = new Date(systemNow() + 86_400_000).toISOString().slice(0, 10);
const located = ({ location: { lat, lng, address } }: Reply) => ({ lat, lng, address });
const BATCHES: Batch[] = [
  { owner: "vehicle", name: "label", rest: [] },
  { owner: "employee", name: "first_name", rest: [], placeOf: located },
  { owner: "task", name: "label", rest: [["from", TOMORROW]], placeOf: located },
  { owner: "zone", name: "label", rest: [], placeOf: ({ center, address }) => ({ ...center, address }) },
  { owner: "place", name: "label", rest: [], placeOf: located },
];
const PLACED = BATCHES.filter(({ placeOf }) => placeOf);
const AT: [string, string][] = [
  ["lat", "48.137"],
  ["lng", "11.575"],
];

/** The items, which employees alone have inside of something. */
async function convert(account: Account, { owner }: Batch, given: object) {
  const { list, limit_exceeded } = await account.must(`/${owner}/batch_convert`, given);
  return { items: list.map((one: Reply) => (owner === "employee" ? one.value : one)) as Reply[], limit_exceeded };
}

/** Columns and the cells of one row: the name stands last, behind one that is passed over. */
function columnsOf({ owner, name, rest }: Batch) {
  const cells = [...rest, ...(owner === "vehicle" ? [] : AT), ["undefined", "skipped"] as const];
  return { fields: [...cells.map(([field]) => field), name], cells: cells.map(([, cell]) => cell) };
}

test.each(BATCHES)(
  "batch_convert of $owner rows finds cells by their column, in text as in a parsed sheet of .csv",
  async (batch) => {
    const account = await sharedAccount();
    const { fields, cells } = columnsOf(batch);
    const rows = ["One", "Two", ""].map((name) => [...cells, name]);
    const file = new File([rows.map((row) => row.join(";")).join("\n")], "rows.csv");
    const { file_id } = await account.must("/data/spreadsheet/parse", { file });
    const text = rows.map((row) => row.join("\t")).join("\r\n");
    const ofText = await convert(account, batch, { batch: text, fields });
    expect(ofText.limit_exceeded).toBe(false);
    expect(ofText.items.map((item) => item[batch.name])).toEqual(["One", "Two", ""]);
    expect(ofText.items.map(({ errors = [] }) => errors.map(({ parameter }: Reply) => parameter))).toEqual([
      [],
      [],
      [`${batch.owner}.${batch.name}`],
    ]);
    expect(await convert(account, batch, { file_id, batch: "passed over", fields })).toEqual(ofText);
  },
);

test.each(BATCHES)(
  "batch_convert of $owner rows reads 5,000 of 5,001 rows of a sheet, and limit_exceeded says so",
  async (batch) => {
    const account = await sharedAccount();
    const { fields, cells } = columnsOf(batch);
    const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => [...cells, `N ${index}`].join(";"));
    const sheetOf = async (count: number) => {
      const file = new File([rowsOf(count).join("\n")], "rows.csv");
      return { file_id: (await account.must("/data/spreadsheet/parse", { file })).file_id, fields };
    };
    const whole = await convert(account, batch, await sheetOf(5000));
    expect([whole.limit_exceeded, whole.items.length]).toEqual([false, 5000]);
    const cut = await convert(account, batch, await sheetOf(5001));
    expect([cut.limit_exceeded, cut.items.length, cut.items.at(-1)?.[batch.name]]).toEqual([true, 5000, "N 4999"]);
  },
);

test.each(BATCHES.filter(({ owner }) => owner !== "task"))(
  "batch_convert of $owner rows finds tags by their names",
  async (batch) => {
    const account = await newAccount();
    const [red, cold] = await Promise.all(
      ["Red", "Cold"].map(async (name) => (await account.must("/tag/create", { tag: { name, color: "27A9E3" } })).id),
    );
    const { fields, cells } = columnsOf(batch);
    const given = { batch: [...cells, "One", "Cold, Red,Cold"].join("\t"), fields: [...fields, "tags"] };
    const { items } = await convert(account, batch, given);
    expect(items).toMatchObject([{ tags: [cold, red] }]);
    expect(items[0]).not.toHaveProperty("errors");
  },
);

test.each(PLACED)("batch_convert of $owner rows completes an address and coordinates by each other", async (batch) => {
  const account = await sharedAccount();
  const { rest, name, placeOf } = batch;
  const fields = [name, ...rest.map(([field]) => field), "address", "lat", "lng"];
  const places = [["Munich, Germany"], ["", "48.137", "11.575"], ["Here", "48.137", "11.575"], ["no such street"]];
  const text = places.map((place) => ["One", ...rest.map(([, cell]) => cell), ...place].join("\t")).join("\n");
  const { items } = await convert(account, batch, { batch: text, fields });
  expect(items.map((item) => placeOf?.(item))).toEqual([
    { address: "Munich, Germany", lat: expect.closeTo(48.1, 1), lng: expect.closeTo(11.6, 1) },
    { address: "Munich, Bavaria, Germany", lat: 48.137, lng: 11.575 },
    { address: "Here", lat: 48.137, lng: 11.575 },
    { address: "no such street", lat: 0, lng: 0 },
  ]);
  expect(items.map(({ errors = [] }) => errors.length)).toEqual([0, 0, 0, 1]);
});
