import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newAccount, sharedAccount, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { stack } from "#test/tool/system/stack.ts";
import { ROOT } from "../../../../scripts/workers.ts";

const PATH = "/data/spreadsheet/parse";
const MIB = 1024 * 1024;

function fixture(name: string) {
  return new File([readFileSync(join(ROOT, "test", "fixtures", "sheets", name))], name);
}

test.each(["staff.xlsx", "staff.xls", "windows-1251.csv", "utf-16le.csv"])(
  "data/spreadsheet/parse reads %s, with its header mapped or as a row",
  async (name) => {
    const account = await sharedAccount();
    const whole = await account.must(PATH, { file: fixture(name) });
    expect(whole.file_id).toMatch(/^[0-9a-f]{32}$/);
    expect(whole.header).toBeUndefined();
    const [titles, first] = whole.preview;
    const header_map = { [titles[0]]: "first_name", [titles[1]]: "last_name", constructor: "x" };
    const mapped = await account.must(PATH, {
      file: fixture(name),
      preview_count: 1,
      parse_header: true,
      header_map,
    });
    expect(mapped.header).toEqual(["first_name", "last_name", ...titles.slice(2)]);
    expect(mapped.preview).toEqual([first]);
    expect(mapped.file_id).not.toBe(whole.file_id);
  },
);

test.each([
  ["staff.xlsx", { first_name: "Zoë", last_name: "Иванова", phone: "4930123456789", personnel_number: "000042" }],
  ["staff.xls", { first_name: "Zoë", last_name: "Иванова", phone: "4930123456789", personnel_number: "000042" }],
  ["windows-1251.csv", { first_name: "Иван", last_name: "Петров", phone: "74951234567" }],
])(
  "data/spreadsheet/parse reads %s as an office program saved it, and batch_convert takes it by its id",
  async (name, employee) => {
    const account = await sharedAccount();
    const { file_id } = await account.must(PATH, { file: fixture(name), parse_header: true });
    const fields = ["first_name", "last_name", "phone", "driver_license_valid_till", "personnel_number"];
    const { list } = await account.must("/employee/batch_convert", { file_id, fields });
    expect(list[0]).toMatchObject({ success: true, value: employee });
    const zones = await account.must("/zone/batch_convert", { file_id, fields: ["label", "address"] });
    expect(zones.list[0]).toMatchObject({ label: employee.first_name, address: employee.last_name });
  },
);

test("data/spreadsheet/parse shows up to 20 rows, and splits columns at comma, semicolon or tab", async () => {
  const account = await sharedAccount();
  const rows = Array.from({ length: 25 }, (_, index) => [`Name ${index}`, `"${index}, or more"`]);
  for (const separator of [",", ";", "\t"]) {
    const file = new File([rows.map((row) => row.join(separator)).join("\n")], "rows.csv");
    for (const preview_count of [1, 20]) {
      const { preview } = await account.must(PATH, { file, preview_count });
      expect(preview).toHaveLength(preview_count);
      expect(preview[0]).toEqual(["Name 0", "0, or more"]);
    }
  }
  const file = new File(["a"], "a.csv");
  for (const wrong of [{ preview_count: 0 }, { preview_count: 21 }, { header_map: [] }, { file: "a" }]) {
    const [[name = ""] = []] = Object.entries(wrong);
    const { status, errors } = await account.call(PATH, { file, other: file, ...wrong });
    expect([status.code, errors[0].parameter]).toEqual([7, name]);
  }
});

test("data/spreadsheet/parse answers 5 or 233 without a file, 234 to another kind of file, 9 to one that is too large", async () => {
  const account = await sharedAccount();
  const codeOf = async (parameters: object) => (await account.call(PATH, parameters)).status.code;
  expect(await codeOf({ preview_count: 3 })).toBe(5);
  expect(await codeOf({ attachment: new File(["a"], "a.csv") })).toBe(233);
  expect(await codeOf({ file: new File([new Uint8Array([0, 1, 2])], "a.csv") })).toBe(234);
  expect(await codeOf({ file: new File([""], "a.csv") })).toBe(234);
  const line = `${"x".repeat(1023)}\n`;
  await account.must(PATH, { file: new File([line.repeat(16 * 1024)], "a.csv") });
  expect(await codeOf({ file: new File([line.repeat(16 * 1024), "x"], "a.csv") })).toBe(9);
  expect(await codeOf({ file: new File([new Uint8Array(17 * MIB)], "a.csv") })).toBe(9);
  const wide = await account.call(PATH, { file: new File([",".repeat(8_000_000)], "a.csv") });
  expect(wide).toMatchObject({ status: { code: 9 }, errors: [{ error: "must have at most 256 columns" }] });
});

test("a parsed spreadsheet is visible to its account alone, and sweeps keep it until its time is over", async () => {
  const [owner, rival] = [await newAccount(), await sharedAccount()];
  const { file_id } = await owner.must(PATH, { file: new File(["Ann\tLee"], "a.csv") });
  const convert = { file_id, batch: "Bo", fields: ["first_name", "last_name"] };
  const { list } = await owner.must("/employee/batch_convert", convert);
  expect(list).toMatchObject([{ success: true, value: { first_name: "Ann", last_name: "Lee" } }]);
  const foreign = await rival.call("/employee/batch_convert", convert);
  expect(foreign).toEqual(await rival.call("/employee/batch_convert", { ...convert, file_id: String(UNKNOWN_ID) }));
  expect(foreign.status.code).toBe(234);
  await stack.fireCron("files");
  expect((await owner.call("/employee/batch_convert", convert)).success).toBe(true);
});
