import { expect, test } from "vitest";
import { type Account, newAccount, type Reply, sharedAccount } from "../../../../../test/tool/call/account.ts";

/** The ids of custom fields of these kinds, by their labels. */
async function newFields(account: Account, fields: Record<string, object>): Promise<Record<string, number>> {
  const given = Object.entries(fields).map(([label, field]) => ({ label, ...field }));
  const { list } = await account.must("/entity/fields/update", { entity_id: account.id, fields: given });
  return Object.fromEntries(list.map(({ label, id }: Reply) => [label, Number(id)]));
}

const parametersOf = ({ errors }: Reply) => errors.map(({ parameter }: Reply) => parameter).toSorted();

test("place/batch_convert makes of rows places that place/create takes, with tags by their names", async () => {
  const account = await newAccount();
  const { id: tag } = await account.must("/tag/create", { tag: { name: "Red", color: "27A9E3" } });
  const batch = "Shop\tMain St 1\t51.5\t9.93\t250\tBehind the yard\tRed,Blue, Red\nStall\t\t-1\t2";
  const { list, limit_exceeded } = await account.must("/place/batch_convert", { batch, default_radius: 40 });
  const bare = { id: null, fields: {}, avatar_file_name: null, external_id: null };
  const [shop, stall] = [
    { lat: 51.5, lng: 9.93, address: "Main St 1", radius: 250 },
    { lat: -1, lng: 2, address: "", radius: 40 },
  ];
  expect(list).toEqual([
    { ...bare, label: "Shop", description: "Behind the yard", location: shop, tags: [tag], tag_names: ["Blue"] },
    { ...bare, label: "Stall", description: "", location: stall, tags: [] },
  ]);
  expect(limit_exceeded).toBe(false);
  expect((await account.must("/place/list")).count).toBe(0);
  for (const place of list) await account.must("/place/create", { place });
  expect((await account.must("/place/list")).list).toMatchObject([
    { label: "Shop", location: shop, tags: [tag] },
    { label: "Stall", location: stall },
  ]);
});

test("place/batch_convert takes custom fields as columns, checks each cell by its type, and ignores unknown fields", async () => {
  const [account, rival] = [await newAccount(), await newAccount()];
  const { id: employee } = await account.must("/employee/create", { employee: { first_name: "Ann" } });
  const { id: stranger } = await rival.must("/employee/create", { employee: { first_name: "Bo" } });
  const { code, price, visitor } = await newFields(account, {
    code: { type: "text", required: true },
    price: { type: "decimal" },
    visitor: { type: "employee" },
  });
  const fields = ["label", "lat", "lng", "external_id", String(code), String(price), String(visitor), "987654321"];
  const batch = [`A\t1\t2\tX-1\tc1\t1.5\t${employee}\tlost`, `B\t1\t2\t\t\tdear\t${stranger}`, "C\t1\t2\t\tc3\t\tAnn"];
  const { list } = await account.must("/place/batch_convert", { batch: batch.join("\n"), fields });
  expect(list[0]).toMatchObject({ label: "A", external_id: "X-1" });
  expect(list[0]).not.toHaveProperty("errors");
  expect(list[0].fields).toEqual({
    [String(code)]: { type: "text", value: "c1" },
    [String(price)]: { type: "decimal", value: 1.5 },
    [String(visitor)]: { type: "employee", value: employee },
  });
  // Refused cells come back as they were sent.
  expect(list[1].fields).toEqual({
    [String(price)]: { type: "decimal", value: "dear" },
    [String(visitor)]: { type: "employee", value: String(stranger) },
  });
  expect(parametersOf(list[1])).toEqual(
    [`place.fields.${code}`, `place.fields.${price}.value`, `place.fields.${visitor}.value`].toSorted(),
  );
  expect(parametersOf(list[2])).toEqual([`place.fields.${visitor}.value`]);
  await account.must("/place/create", { place: list[0] });
});

test("place/batch_convert gives rejected rows back as they were sent with their errors, an unknown address at 0/0", async () => {
  const account = await sharedAccount();
  const long = "x".repeat(256);
  const batch = `\tno such street\nFar\t\t91\t0\t1.5\n${long}\t\t1\t2\nBare\nHalf\tMain St 1\tnorth\t8.5`;
  const { list } = await account.must("/place/batch_convert", { batch });
  const origin = { lat: 0, lng: 0 };
  expect(list).toMatchObject([
    { label: "", location: { ...origin, address: "no such street", radius: 100 } },
    { label: "Far", location: { lat: 91, lng: 0, address: "", radius: 1.5 } },
    { label: long, location: { lat: 1, lng: 2 } },
    { label: "Bare", location: origin, errors: [{ error: "location must have lat and lng" }] },
    { label: "Half", location: { lat: "north", lng: 8.5, address: "Main St 1", radius: 100 } },
  ]);
  expect(list.map(parametersOf)).toEqual([
    ["place.label", "place.location"],
    ["place.location.lat", "place.location.radius"],
    ["place.label"],
    ["place.location"],
    ["place.location.lat"],
  ]);
});

test("place/batch_convert cuts at the limit of rows, needs text, and treats another account's sheet as none", async () => {
  const [account, rival] = [await sharedAccount(), await newAccount()];
  const rows = Array.from({ length: 5001 }, (_, index) => `Place ${index}\t\t1\t2`);
  const whole = await account.must("/place/batch_convert", { batch: rows.slice(1).join("\n") });
  expect([whole.limit_exceeded, whole.list.length]).toEqual([false, 5000]);
  const cut = await account.must("/place/batch_convert", { batch: rows.join("\n") });
  expect([cut.limit_exceeded, cut.list.length]).toEqual([true, 5000]);

  const file = new File(["Shop\t1\t2"], "places.csv");
  const { file_id } = await account.must("/data/spreadsheet/parse", { file });
  const convert = { file_id, batch: "Text", fields: ["label", "lat", "lng"] };
  expect((await account.must("/place/batch_convert", convert)).list).toMatchObject([{ label: "Shop" }]);
  expect((await rival.call("/place/batch_convert", convert)).status.code).toBe(234);
  for (const [wrong, parameter] of [
    [{}, "batch"],
    [{ batch: "x", fields: ["colour"] }, "fields.0"],
    [{ batch: "x", default_radius: 0 }, "default_radius"],
    [{ batch: "x", default_radius: 300_001 }, "default_radius"],
  ] as const) {
    const { status, errors } = await account.call("/place/batch_convert", wrong);
    expect([status.code, errors[0].parameter]).toEqual([7, parameter]);
  }
});
