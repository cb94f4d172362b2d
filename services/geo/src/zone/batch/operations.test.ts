import { expect, test } from "vitest";
import { newAccount, type Reply, sharedAccount } from "../../../../../test/tool/call/account.ts";

const fields = ["label", "address", "lat", "lng", "radius", "tags"];
const nowhere = { parameter: "zone.center", error: "location must have lat and lng" };

test("zone/batch_convert makes of rows circles that zone/create takes, with missing values from the defaults", async () => {
  const account = await newAccount();
  const { id: tag } = await account.must("/tag/create", { tag: { name: "Red", color: "27A9E3" } });
  const batch = "Yard\tMain St 1\t51.5\t9.93\t250\tRed, Blue\tsurplus\r\n\r\n Gate \t\t-1\t2";
  const { list, limit_exceeded } = await account.must("/zone/batch_convert", { batch, default_radius: 40 });
  const circle = { id: null, type: "circle", color: "27A9E3" };
  expect(list).toEqual([
    {
      ...circle,
      label: "Yard",
      address: "Main St 1",
      radius: 250,
      center: { lat: 51.5, lng: 9.93 },
      tags: [tag],
      tag_names: ["Blue"],
    },
    { ...circle, label: "Gate", address: "", radius: 40, center: { lat: -1, lng: 2 }, tags: [] },
  ]);
  expect(limit_exceeded).toBe(false);
  expect((await account.must("/zone/list")).list).toEqual([]);
  for (const zone of list) await account.must("/zone/create", { zone });
  const { list: made } = await account.must("/zone/list");
  expect(made).toMatchObject([{ label: "Yard", tags: [tag], radius: 250 }, { label: "Gate" }]);
});

test("zone/batch_convert gives rejected rows back as they were sent with their errors, an unknown address at 0/0", async () => {
  const account = await sharedAccount();
  const batch = "\tno such street\nFar\t\t91\t0\t1.5\nHalf\t\t7\t\t0\nBare";
  const { list } = await account.must("/zone/batch_convert", { batch, fields });
  const origin = { lat: 0, lng: 0 };
  expect(list).toMatchObject([
    { label: "", address: "no such street", center: origin, radius: 100 },
    { label: "Far", center: { lat: 91, lng: 0 }, radius: 1.5 },
    { label: "Half", center: { lat: 7, lng: 0 }, radius: 0 },
    { label: "Bare", center: origin },
  ]);
  const errorsOf = (index: number) => list[index].errors.map(({ parameter }: Reply) => parameter).toSorted();
  expect(errorsOf(0)).toEqual(["zone.center", "zone.label"]);
  expect(errorsOf(1)).toEqual(["zone.center.lat", "zone.radius"]);
  expect(errorsOf(2)).toEqual(["zone.center", "zone.radius"]);
  expect(list[3].errors).toEqual([nowhere]);
});

test("zone/batch_convert cuts at the limit of rows", async () => {
  const account = await sharedAccount();
  const rows = Array.from({ length: 5001 }, (_, index) => `Zone ${index}\t\t1\t2`);
  const whole = await account.must("/zone/batch_convert", { batch: rows.slice(1).join("\n") });
  expect([whole.limit_exceeded, whole.list.length, whole.list.at(-1).label]).toEqual([false, 5000, "Zone 5000"]);
  const cut = await account.must("/zone/batch_convert", { batch: rows.join("\n") });
  expect([cut.limit_exceeded, cut.list.length, cut.list.at(-1).label]).toEqual([true, 5000, "Zone 4999"]);
});

test("zone/batch_convert prefers a parsed sheet to text, and refuses another account's (234) and an unknown column (7)", async () => {
  const [account, rival] = [await sharedAccount(), await newAccount()];
  const file = new File(["Yard;40,5;8\nGate;41;8"], "zones.csv");
  const { file_id } = await account.must("/data/spreadsheet/parse", { file });
  const convert = { file_id, batch: "Text\t1\t2", fields: ["label", "lat", "lng"] };
  const { list } = await account.must("/zone/batch_convert", convert);
  expect(list).toMatchObject([
    { label: "Yard", errors: [{ parameter: "zone.center.lat" }] },
    { label: "Gate", center: { lat: 41, lng: 8 } },
  ]);
  expect((await rival.call("/zone/batch_convert", convert)).status.code).toBe(234);
  expect((await account.call("/zone/batch_convert", {})).errors).toMatchObject([{ parameter: "batch" }]);
  for (const [wrong, parameter] of [
    [{ batch: "x", fields: ["colour"] }, "fields.0"],
    [{ batch: "x", default_radius: 0 }, "default_radius"],
    [{ batch: "x", default_radius: 300_001 }, "default_radius"],
  ] as const) {
    const { status, errors } = await account.call("/zone/batch_convert", wrong);
    expect([status.code, errors[0].parameter]).toEqual([7, parameter]);
  }
});

test("zone/batch_convert completes an address with coordinates, and coordinates with an address", async () => {
  const account = await sharedAccount();
  const batch = "Yard\tMunich, Germany\nGate\t\t48.137\t11.575\nDoor\tMain St 5, Munich";
  const { list } = await account.must("/zone/batch_convert", { batch, fields });
  expect(list).toMatchObject([
    { address: "Munich, Germany", center: { lat: expect.closeTo(48.1, 1), lng: expect.closeTo(11.6, 1) } },
    { address: "Munich, Bavaria, Germany", center: { lat: 48.137, lng: 11.575 } },
    // The address names a house, which the gazetteer does not know.
    { address: "Main St 5, Munich", center: { lat: 0, lng: 0 }, errors: [nowhere] },
  ]);
  expect(list[0].errors ?? []).toEqual([]);
});
