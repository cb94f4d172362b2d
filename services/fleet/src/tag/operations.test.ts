import { expect, test } from "vitest";
import { type Account, newAccount, operator, sharedAccount, UNKNOWN_ID } from "#test/tool/call/account.ts";

const cold = { name: "Cold chain", color: "27A9E3" };

async function newTag(account: Account, name = cold.name) {
  const { id } = await account.must("/tag/create", { tag: { ...cold, name } });
  return Number(id);
}

test("tag/create stores a tag as given, and tag/update and delete change and delete it", async () => {
  const account = await newAccount();
  const id = await newTag(account);
  expect(await account.must("/tag/list")).toEqual({ success: true, list: [{ ...cold, id }], count: 1 });
  await account.must("/tag/update", { tag: { id, name: "Ähre", color: "000000", avatar_file_name: "x.png" } });
  expect((await account.must("/tag/list", { filter: null })).list).toEqual([{ id, name: "Ähre", color: "000000" }]);
  await account.must("/tag/delete", { tag_id: id });
  expect((await account.must("/tag/list")).count).toBe(0);
  expect((await account.call("/tag/delete", { tag_id: id })).status.code).toBe(201);
  expect((await account.call("/tag/update", { tag: { ...cold, id } })).status.code).toBe(201);
  // The id of a deleted tag is never given again: bindings left in another service cannot name another tag.
  expect(await newTag(account)).toBeGreaterThan(id);
});

test.each([
  ["name", "x", ""],
  ["name", "x".repeat(64), "x".repeat(65)],
  ["color", "ABCDEF", "#27A9E3"],
  ["color", "abcdef", "27A9E"],
])("tag/create with a %s takes %j and refuses %j by name", async (member, right, wrong) => {
  const account = await sharedAccount();
  await account.must("/tag/create", { tag: { ...cold, [member]: right } });
  const { count } = await account.must("/tag/list");
  const reply = await account.call("/tag/create", { tag: { ...cold, [member]: wrong } });
  expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter: `tag.${member}` }] });
  expect((await account.must("/tag/list")).count).toBe(count);
});

test("tag/delete of one tag by ten concurrent calls succeeds once, and the others answer 201", async () => {
  const account = await newAccount();
  const tag_id = await newTag(account);
  const replies = await Promise.all(Array.from({ length: 10 }, () => account.call("/tag/delete", { tag_id })));
  const codes = replies.map(({ success, status }) => (success ? 0 : status.code));
  expect(codes.toSorted((one, other) => one - other)).toEqual([0, ...Array(9).fill(201)]);
});

test("tag/list finds tags by a part of the name, whatever its case and marks", async () => {
  const account = await newAccount();
  const ids = [await newTag(account, "Kühlkette"), await newTag(account, "100% fresh"), await newTag(account, "Other")];
  const found = async (filter: string) => {
    const { list, count } = await account.must("/tag/list", { filter });
    expect(count).toBe(list.length);
    return list.map(({ id }: { id: number }) => id);
  };
  expect(await found("KUHL")).toEqual([ids[0]]);
  expect(await found("0% ")).toEqual([ids[1]]);
  expect(await found("x".repeat(60))).toEqual([]);
  for (const filter of ["xx", "x".repeat(61)]) {
    const reply = await account.call("/tag/list", { filter });
    expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "filter" }] });
  }
});

test("tag/create stops at the account's limit, also under parallel creation", async () => {
  const account = await newAccount();
  await operator.must("/panel/user/update", { user_id: account.id, limits: { tags: 3 } });
  const replies = await Promise.all(Array.from({ length: 6 }, () => account.call("/tag/create", { tag: cold })));
  expect(replies.filter(({ success }) => success)).toHaveLength(3);
  for (const { success, status } of replies) if (!success) expect(status.code).toBe(268);
  expect((await account.must("/tag/list")).count).toBe(3);
});

test("employees and vehicles keep their tags in the order given, each once", async () => {
  const account = await newAccount();
  const [one, two, three] = [await newTag(account), await newTag(account), await newTag(account)];
  for (const [entity, member] of [
    ["employee", { first_name: "Ann" }],
    ["vehicle", { label: "Van" }],
  ] as const) {
    const { id } = await account.must(`/${entity}/create`, { [entity]: { ...member, tags: [three, one, three] } });
    const read = async () => (await account.must(`/${entity}/read`, { [`${entity}_id`]: id })).value;
    expect((await read()).tags).toEqual([three, one]);
    const { list } = await account.must(`/${entity}/list`);
    expect(list).toEqual([await read()]);
    await account.must(`/${entity}/update`, { [entity]: { ...(await read()), tags: [two, three] } });
    expect((await read()).tags).toEqual([two, three]);
    // A call that names an unknown tag changes nothing.
    const rival = await newTag(await newAccount());
    for (const unknown of [rival, UNKNOWN_ID]) {
      const tagged = { ...member, tags: [one, unknown] };
      for (const reply of [
        await account.call(`/${entity}/create`, { [entity]: tagged }),
        await account.call(`/${entity}/update`, { [entity]: { ...tagged, id } }),
      ]) {
        expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter: `${entity}.tags` }] });
      }
    }
    expect(await account.must(`/${entity}/list`)).toMatchObject({ count: 1, list: [{ tags: [two, three] }] });
    await account.must(`/${entity}/update`, { [entity]: { ...member, id } });
    expect((await read()).tags).toEqual([two, three]);
    for (const empty of [[], null]) {
      await account.must(`/${entity}/update`, { [entity]: { id, tags: [one] } });
      await account.must(`/${entity}/update`, { [entity]: { id, tags: empty } });
      expect((await read()).tags).toEqual([]);
    }
  }
});

test("tracker/tags/set binds up to five tags to a tracker, each at its own ordinal", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker();
  const tags: number[] = [];
  for (let count = 0; count < 6; count++) tags.push(await newTag(account, `Tag ${count}`));
  const bind = (...ordinals: number[]) => ordinals.map((ordinal, index) => ({ tag_id: tags[index], ordinal }));
  const set = (tag_bindings: object[]) => account.call("/tracker/tags/set", { tracker_id, tag_bindings });
  const bindings = async () => (await account.must("/tracker/list")).list[0].tag_bindings;
  await account.must("/tracker/tags/set", { tracker_id, tag_bindings: bind(5, 1, 2, 4, 3) });
  expect(await bindings()).toEqual(bind(5, 1, 2, 4, 3).toSorted((one, other) => one.ordinal - other.ordinal));
  await account.must("/tracker/tags/set", { tracker_id, tag_bindings: bind(3) });
  for (const wrong of [
    bind(0),
    bind(6),
    bind(1, 1),
    [...bind(1), ...bind(2)],
    [{ tag_id: UNKNOWN_ID, ordinal: 1 }],
    bind(1, 2, 3, 4, 5, 5),
  ]) {
    expect((await set(wrong)).status.code).toBe(7);
  }
  expect(await bindings()).toEqual(bind(3));
  expect((await account.must("/tracker/read", { tracker_id })).value.tag_bindings).toEqual(bind(3));
  const unknown = await account.call("/tracker/tags/set", { tracker_id: UNKNOWN_ID, tag_bindings: [] });
  expect(unknown.status.code).toBe(201);
  await account.block(tracker_id);
  expect((await set(bind(1))).status.code).toBe(208);
  expect(await bindings()).toEqual(bind(3));
});

test("tag/search finds everything that has all of the tags, each type in its list, as its own calls show it", async () => {
  const account = await newAccount();
  const [one, two] = [await newTag(account), await newTag(account)];
  const { id: tracker_id } = await account.newTracker();
  const bindings = [one, two].map((tag_id, index) => ({ tag_id, ordinal: index + 1 }));
  await account.must("/tracker/tags/set", { tracker_id, tag_bindings: bindings });
  const { id: employee_id } = await account.must("/employee/create", { employee: { first_name: "Ann", tags: [two] } });
  const { id: vehicle_id } = await account.must("/vehicle/create", { vehicle: { label: "Van", tags: [two, one] } });
  const search = async (more: object) => (await account.must("/tag/search", more)).result;
  const tracker = (await account.must("/tracker/read", { tracker_id })).value;
  const employee = (await account.must("/employee/read", { employee_id })).value;
  const vehicle = (await account.must("/vehicle/read", { vehicle_id })).value;
  const none = { place: [], task: [], task_schedule: [], employee: [], vehicle: [], zone: [], tracker: [] };
  const ofTwo = { ...none, employee: [employee], vehicle: [vehicle], tracker: [tracker] };
  expect(await search({ tag_ids: [two] })).toEqual(ofTwo);
  expect(await search({ tag_ids: [one, two, one] })).toEqual({ ...ofTwo, employee: [] });
  const some = await search({ tag_ids: [one], entity_types: ["employee", "vehicle"] });
  expect(some).toEqual({ ...none, vehicle: [vehicle] });
  expect(await search({ tag_ids: [one, UNKNOWN_ID] })).toEqual(none);
  expect((await account.call("/tag/search", { tag_ids: [] })).errors[0].parameter).toBe("tag_ids");
  const wrong = await account.call("/tag/search", { tag_ids: [one], entity_types: ["tracker", "boat"] });
  expect(wrong.errors[0].parameter).toBe("entity_types.1");

  // A deleted tag is on no thing any more, and a search finds no deleted thing.
  await account.must("/tag/delete", { tag_ids: [one, UNKNOWN_ID] });
  expect((await account.must("/vehicle/read", { vehicle_id })).value.tags).toEqual([two]);
  expect((await account.must("/tracker/read", { tracker_id })).value.tag_bindings).toEqual([
    { tag_id: two, ordinal: 2 },
  ]);
  await account.must("/vehicle/delete", { vehicle_id });
  await account.must("/employee/delete", { employee_id });
  expect(await search({ tag_ids: [two] })).toMatchObject({ ...none, tracker: [{ id: tracker_id }] });
  await operator.must("/panel/tracker/corrupt", { tracker_id });
  expect(await search({ tag_ids: [two] })).toEqual(none);
});

test("vehicle/batch_convert and employee/batch_convert find tags by their names, separated by commas", async () => {
  const account = await newAccount();
  const [one, two] = [await newTag(account, "Cold"), await newTag(account, "Heavy")];
  const batch = "Van\tHeavy, Cold\nBus\tCold,Nothing\nCar\t";
  const { list: vehicles } = await account.must("/vehicle/batch_convert", { batch, fields: ["label", "tags"] });
  expect(vehicles).toMatchObject([
    { tags: [two, one] },
    { tags: [one], errors: [{ parameter: "vehicle.tags", error: "names no tag of yours: Nothing" }] },
    { tags: [] },
  ]);
  const { list: employees } = await account.must("/employee/batch_convert", { batch, fields: ["first_name", "tags"] });
  expect(employees).toMatchObject([
    { success: true, value: { tags: [two, one] } },
    { success: false, value: { tags: [one], errors: [{ parameter: "employee.tags" }] } },
    { success: true, value: { tags: [] } },
  ]);
});
