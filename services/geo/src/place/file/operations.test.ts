import { expect, test } from "vitest";
import {
  type Account,
  bodyOf,
  must,
  newAccount,
  operatorHash,
  type Reply,
  sharedAccount,
} from "../../../../../test/tool/call/account.ts";
import { newSubUser } from "../../../../../test/tool/call/mailbox.ts";
import { stack } from "../../../../../test/tool/system/stack.ts";

const HEADER = "label;address;lat;lng;radius;external_id;description";
const csv = (...lines: string[]) => new File([[HEADER, ...lines].join("\n")], "places.csv");
const codeOf = ({ status }: Reply) => status?.code;

async function listPlaces(account: Account): Promise<Reply[]> {
  return (await account.must("/place/list")).list;
}

const labelsOf = async (account: Account) => (await listPlaces(account)).map(({ label }) => label);

test("place/upload makes a place of each row, and takes missing values from the defaults", async () => {
  const account = await newAccount();
  const file = csv('Shop;"Main St 1; yard";51.5;9.93;250;A-17;Behind the yard', ";", " Stall ;;-1;2;;;");
  const reply = await account.must("/place/upload", { file, default_radius: 40 });
  expect(reply).toEqual({ success: true, total: 2, errors: 0 });
  const [shop, stall] = await listPlaces(account);
  const location = { lat: 51.5, lng: 9.93, address: "Main St 1; yard", radius: 250 };
  const made = { label: "Shop", description: "Behind the yard", location, external_id: "A-17" };
  expect(shop).toEqual({ ...made, id: expect.any(Number), fields: {}, avatar_file_name: null });
  expect(stall).toMatchObject({ label: "Stall", location: { lat: -1, lng: 2, address: "", radius: 40 } });
  // Uploaded places are found like created ones.
  for (const filter of ["behind", "a-17", "main st", "shop"]) {
    expect((await account.must("/place/list", { filter })).count, filter).toBe(1);
  }
  const around = await account.must("/place/search_location", { location: { lat: 51.5, lng: 9.931 } });
  expect(around.list).toEqual([{ id: shop.id, label: "Shop" }]);
});

test("place/upload with error policy fail stores nothing at a wrong row (234), and with ignore stores the others", async () => {
  const account = await newAccount();
  const file = csv("Shop;;1;2;;;", "Far;;91;0;x;;", ";;1;2;;;", "Lost;no such street;;;;;", "Stall;;3;4;;;");
  for (const policy of [{}, { error_policy: "fail" }]) {
    const { status, line, errors } = await account.call("/place/upload", { file, ...policy });
    expect([status.code, line]).toEqual([234, 2]);
    expect(errors.map(({ parameter }: Reply) => parameter)).toEqual(["place.location.lat", "place.location.radius"]);
  }
  expect(await listPlaces(account)).toEqual([]);
  const reply = await account.must("/place/upload", { file, error_policy: "ignore" });
  expect([reply.total, reply.errors]).toEqual([5, 3]);
  expect(await labelsOf(account)).toEqual(["Shop", "Stall"]);
});

test("place/upload of a known external id: policy fail is 247 and stores nothing, skip leaves the place, update changes it", async () => {
  const account = await newAccount();
  const { id: tag } = await account.must("/tag/create", { tag: { name: "Red", color: "27A9E3" } });
  const old = { label: "Old", description: "stays?", external_id: "A", tags: [tag], location: { lat: 1, lng: 2 } };
  const { id } = await account.must("/place/create", { place: old });
  const file = csv("Fresh;;5;6;;B;", "New;Side St 2;3;4;70;A;");
  for (const policy of [{}, { duplicate_policy: "fail" }]) {
    const refused = await account.call("/place/upload", { file, ...policy });
    expect([codeOf(refused), refused.errors[0].error]).toEqual([247, "A is there already"]);
    expect(await labelsOf(account)).toEqual(["Old"]);
  }
  expect(await account.must("/place/upload", { file, duplicate_policy: "skip" })).toMatchObject({
    total: 2,
    errors: 0,
  });
  expect(await labelsOf(account)).toEqual(["Old", "Fresh"]);

  await account.must("/place/upload", { file, duplicate_policy: "update" });
  const [changed, fresh, ...more] = await listPlaces(account);
  expect(changed).toMatchObject({ id, label: "New", description: "", external_id: "A", tags: [tag] });
  expect(changed.location).toEqual({ lat: 3, lng: 4, address: "Side St 2", radius: 70 });
  expect([fresh.label, more]).toEqual(["Fresh", []]);
  expect((await account.must("/place/list", { filter: "side st" })).count).toBe(1);
  expect((await account.must("/place/list", { filter: "stays" })).count).toBe(0);
  expect((await account.must("/place/search_location", { location: { lat: 3, lng: 4 } })).list).toHaveLength(1);
});

test("place/upload takes the first row of a repeated external id, with update the last, and with fail is 247", async () => {
  const file = csv("One;;1;2;;A;", "Bare;;1;2;;;", "Two;;1;2;;A;", "Bare;;1;2;;;");
  const [account, rival] = [await newAccount(), await newAccount()];
  expect(codeOf(await account.call("/place/upload", { file }))).toBe(247);
  expect(await listPlaces(account)).toEqual([]);
  await account.must("/place/upload", { file, duplicate_policy: "skip" });
  expect(await labelsOf(account)).toEqual(["One", "Bare", "Bare"]);
  await rival.must("/place/upload", { file, duplicate_policy: "update" });
  expect(await labelsOf(rival)).toEqual(["Bare", "Two", "Bare"]);
});

test("place/upload makes each external id once when uploads come at the same moment", async () => {
  const account = await newAccount();
  const file = csv(...Array.from({ length: 50 }, (_, index) => `P ${index};;1;2;;${index};`));
  const replies = await Promise.all([1, 2, 3, 4].map(() => account.call("/place/upload", { file })));
  expect(replies.filter(({ success }) => success)).toHaveLength(1);
  expect(await listPlaces(account)).toHaveLength(50);
});

test("place/upload by a sub-user sees its visible duplicates alone, and the sub-user sees what it uploaded", async () => {
  const account = await newAccount();
  await account.must("/place/upload", { file: csv("Hidden;;1;2;;A;") });
  const { id: subuser_id, hash } = await newSubUser(account);
  const group = { label: "Planners", privileges: { rights: ["place_update"] } };
  const { id: group_id } = await account.must("/subuser/security_group/create", { group });
  await account.must("/subuser/security_group/assign", { group_id, subuser_ids: [subuser_id] });
  const file = csv("Mine;;3;4;;A;");
  await must("/place/upload", { hash, file });
  expect(codeOf(await account.call("/place/upload", { hash, file }))).toBe(247);
  await must("/place/upload", { hash, file: csv("Changed;;3;4;;A;"), duplicate_policy: "update" });
  const { list } = await must("/place/list", { hash });
  expect(list.map(({ label }: Reply) => label)).toEqual(["Changed"]);
  expect(await labelsOf(account)).toEqual(["Hidden", "Changed"]);
});

test("place/upload stores nothing beyond the account's limit of places, and may still change existing ones", async () => {
  const account = await newAccount();
  await must("/panel/user/update", { hash: await operatorHash(), user_id: account.id, limits: { places: 2 } });
  const [three, two] = [csv("A;;1;2;;A;", "B;;1;2;;B;", "C;;1;2;;C;"), csv("A;;1;2;;A;", "B;;1;2;;B;")];
  expect(codeOf(await account.call("/place/upload", { file: three }))).toBe(268);
  expect(await listPlaces(account)).toEqual([]);
  await account.must("/place/upload", { file: two });
  expect(codeOf(await account.call("/place/upload", { file: three, duplicate_policy: "update" }))).toBe(268);
  await account.must("/place/upload", { file: csv("Z;;1;2;;A;"), duplicate_policy: "update" });
  expect(await labelsOf(account)).toEqual(["Z", "B"]);
});

test("place/upload takes 5,000 rows and 2 MB, and refuses more (9)", async () => {
  const account = await newAccount();
  const rows = Array.from({ length: 5001 }, (_, index) => `P ${index};;1;2;;;`);
  expect(await account.must("/place/upload", { file: csv(...rows.slice(1)) })).toMatchObject({ total: 5000 });
  const refused = await account.call("/place/upload", { file: csv(...rows) });
  expect(refused).toMatchObject({ status: { code: 9 }, errors: [{ error: "must have at most 5000 rows" }] });
  const sized = (size: number) => new File([`${HEADER}\nShop;;1;2;;;`.padEnd(size)], "places.csv");
  await account.must("/place/upload", { file: sized(2_097_152) });
  expect(codeOf(await account.call("/place/upload", { file: sized(2_097_153) }))).toBe(9);
  const separators = new File([`${HEADER}\n${";".repeat(1_000_000)}`], "places.csv");
  expect(codeOf(await account.call("/place/upload", { file: separators }))).toBe(9);
  expect((await account.must("/place/list", { limit: 1 })).count).toBe(5001);
});

test.each([
  ["no file", undefined, 233],
  ["an empty file", new File([""], "a.csv"), 234],
  ["no header", new File(["Shop;;1;2;;;"], "a.csv"), 234],
  ["a header that lacks a column", new File(["label;address;lat;lng;radius;external_id\n"], "a.csv"), 234],
  ["a picture", new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0])], "a.csv"), 234],
])("place/upload refuses a call with %s", async (_, file, code) => {
  const account = await sharedAccount();
  expect(codeOf(await account.call("/place/upload", file ? { file } : {}))).toBe(code);
});

test("place/upload takes columns in any order, and the encodings of Windows' programs", async () => {
  const account = await newAccount();
  const text = "external_id;Label;radius;colour;description;lat;lng;address\r\nA-1;Öl;5;red;;1;2;Straße 1\r\n";
  const bytes = new Uint8Array([...text].map((letter) => letter.charCodeAt(0)));
  await account.must("/place/upload", { file: new File([bytes], "places.csv") });
  const location = { lat: 1, lng: 2, address: "Straße 1", radius: 5 };
  expect(await listPlaces(account)).toMatchObject([{ label: "Öl", external_id: "A-1", location }]);
  // A header alone has no places.
  expect(await account.must("/place/upload", { file: csv() })).toMatchObject({ total: 0, errors: 0 });
});

test("place/upload answers by a redirect where a target is given", async () => {
  const { hash } = await sharedAccount();
  for (const [file, reply] of [
    [csv("Shop;;1;2;;;"), { success: true, total: 1, errors: 0 }],
    [csv("Shop;;91;2;;;"), { success: false, status: { code: 234 } }],
  ] as const) {
    const { headers, body } = bodyOf({ hash, file, redirect_target: "https://example.com/done" });
    const answer = await fetch(`${stack.baseUrl}/place/upload`, { method: "POST", headers, body, redirect: "manual" });
    const target = new URL(answer.headers.get("Location") ?? "");
    expect(JSON.parse(target.searchParams.get("response") ?? "")).toMatchObject(reply);
  }
});
