import { expect, test } from "vitest";
import { type Account, newAccount, type Reply, sharedAccount, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";

const common = { label: "Name", description: "Who signs", required: false };
const name = { ...common, id: "text-1", type: "text", min_length: 1, max_length: 255 };
const note = { label: "Delivery note", description: "", submit_in_zone: true, default: false, fields: [name] };
const codeOf = ({ success, status }: Reply) => (success ? "done" : status.code);

const create = (account: Account, more: object = {}) =>
  account.call("/form/template/create", { template: { ...note, ...more } });
const created = async (account: Account, more: object = {}) => {
  const { id } = await account.must("/form/template/create", { template: { ...note, ...more } });
  return Number(id);
};
const read = async (account: Account, template_id: number) =>
  (await account.must("/form/template/read", { template_id })).value;

test("form/template/create stores a template as given, as version 1", async () => {
  const account = await sharedAccount();
  const group = [{ label: "Training" }, { label: "Setup" }];
  const fields = [
    name,
    { ...common, id: "boxes", type: "checkbox_group", group, min_checked: 1, max_checked: 2 },
    { ...common, id: "drop", type: "dropdown", options: group },
    { ...common, id: "radio", type: "radio_group", options: group },
    { ...common, id: "date", type: "date", disable_future: true, disable_past: false },
    { ...common, id: "stars", type: "rating", max_stars: 5 },
    { ...common, id: "file", type: "file", min_file_size: 1, max_file_size: 1000, allowed_extensions: ["pdf"] },
    { ...common, id: "photo", type: "photo", max_files: 6 },
    { ...common, id: "sign", type: "signature" },
    { ...common, id: "line", type: "separator" },
  ];
  const id = await created(account, { fields });
  const value = await read(account, id);
  const { created: made, updated } = value;
  expect(value).toEqual({ ...note, fields, id, version: 1, created: made, updated });
  expect(made).toBe(updated);
});

test("form/template/update makes the next version, keeps members that are not given, and takes back what read gave", async () => {
  const account = await sharedAccount();
  const id = await created(account, { description: "Sign here" });
  await account.must("/form/template/update", { template: { id, label: "Other" } });
  const once = await read(account, id);
  expect(once).toMatchObject({ label: "Other", description: "Sign here", fields: [name], version: 2 });
  await account.must("/form/template/update", { template: once });
  expect(await read(account, id)).toMatchObject({ ...once, version: 3, updated: expect.any(String) });
  await account.must("/form/template/update", { template: { id, description: null } });
  expect(await read(account, id)).toMatchObject({ description: null });
});

test("form/template/update makes a version for each of several changes at once", async () => {
  const account = await sharedAccount();
  const id = await created(account);
  const labels = ["A", "B", "C"];
  const update = (label: string) => account.call("/form/template/update", { template: { id, label } });
  const replies = await Promise.all(labels.map(update));
  expect((await read(account, id)).version).toBe(1 + replies.filter(({ success }) => success).length);
});

test("form/template/create and update keep one default template at most: a new one replaces it", async () => {
  const account = await newAccount();
  const [first, second] = [await created(account, { default: true }), await created(account, { default: true })];
  const defaults = async () =>
    (await account.must("/form/template/list")).list.map(({ default: chosen }: Reply) => chosen);
  expect(await defaults()).toEqual([false, true]);
  await account.must("/form/template/update", { template: { id: first, default: true } });
  expect(await defaults()).toEqual([true, false]);
  expect((await read(account, second)).version).toBe(1);
});

test("form/template/list gives all templates of the account alone, by id", async () => {
  const account = await newAccount();
  const ids = [];
  for (let made = 0; made < 32; made++) ids.push(await created(account));
  const { list } = await account.must("/form/template/list");
  expect(list.map(({ id }: Reply) => id)).toEqual(ids);
});

test("form/template/delete makes a template unknown (201)", async () => {
  const account = await sharedAccount();
  const template_id = await created(account);
  await account.must("/form/template/delete", { template_id });
  for (const path of ["/form/template/read", "/form/template/delete", "/form/template/stats/read"]) {
    expect(codeOf(await account.call(path, { template_id }))).toBe(201);
  }
  expect(codeOf(await account.call("/form/template/update", { template: { ...note, id: UNKNOWN_ID } }))).toBe(201);
});

test("form/template calls change nothing in a demo account, nor without the right", async () => {
  const demo = await newAccount({ user: { demo: true } });
  expect(codeOf(await create(demo))).toBe(101);
  expect(codeOf(await demo.call("/form/template/update", { template: { id: 1 } }))).toBe(101);
  expect(codeOf(await demo.call("/form/template/delete", { template_id: 1 }))).toBe(101);
  const account = await sharedAccount();
  const { hash } = await newSubUser(account);
  expect(codeOf(await account.call("/form/template/create", { hash, template: note }))).toBe(13);
  await account.must("/form/template/list", { hash });
});

const wrongFields: [string, object, string][] = [
  ["an id of 20 characters", { ...name, id: "x".repeat(20) }, "id"],
  ["an empty id", { ...name, id: "" }, "id"],
  ["a label of 101 characters", { ...name, label: "x".repeat(101) }, "label"],
  ["a description of 513 characters", { ...name, description: "x".repeat(513) }, "description"],
  ["an unknown type", { ...name, type: "color" }, "type"],
  ["a text of 1,025 characters", { ...name, max_length: 1025 }, "max_length"],
  ["a shortest text above the longest", { ...name, min_length: 256 }, "max_length"],
  ["a required text that may be empty", { ...name, required: true, min_length: 0 }, "min_length"],
  [
    "more boxes to be checked than there are",
    { ...name, type: "checkbox_group", group: [{ label: "A" }], min_checked: 0, max_checked: 2 },
    "max_checked",
  ],
  [
    "required boxes of which none need be checked",
    { ...name, type: "checkbox_group", required: true, group: [{ label: "A" }], min_checked: 0, max_checked: 1 },
    "min_checked",
  ],
  ["a choice of nothing", { ...name, type: "dropdown", options: [] }, "options"],
  ["a rating without stars", { ...name, type: "rating", max_stars: 0 }, "max_stars"],
  ["a file above 16 MB", { ...name, type: "file", max_file_size: 16 * 1024 * 1024 + 1 }, "max_file_size"],
  ["17 extensions", { ...name, type: "file", allowed_extensions: Array(17).fill("pdf") }, "allowed_extensions"],
  ["seven photos", { ...name, type: "photo", max_files: 7 }, "max_files"],
  ["a separator that is required", { ...name, type: "separator", required: true }, "required"],
];

test.each(wrongFields)("form/template/create refuses a field with %s by name (7)", async (_, field, member) => {
  const { status, errors } = await create(await sharedAccount(), { fields: [field] });
  expect([status.code, errors[0].parameter]).toEqual([7, `template.fields.0.${member}`]);
});

test("form/template/create names a missing default, equal ids and too many fields", async () => {
  const account = await sharedAccount();
  const many = (count: number, field: object) => Array.from({ length: count }, (_, at) => ({ ...field, id: `f${at}` }));
  const photo = { ...common, type: "photo", max_files: 1 };
  const wrong: [object, string][] = [
    [{ default: undefined }, "template.default"],
    [{ label: "" }, "template.label"],
    [{ label: "x".repeat(101) }, "template.label"],
    [{ fields: [name, name] }, "template.fields"],
    [{ fields: many(129, name) }, "template.fields"],
    [{ fields: many(17, photo) }, "template.fields"],
  ];
  for (const [given, parameter] of wrong) {
    const { status, errors } = await create(account, given);
    expect([status.code, errors[0].parameter]).toEqual([7, parameter]);
  }
  await created(account, { fields: many(128, name) });
  await created(account, { fields: many(16, photo) });
});
