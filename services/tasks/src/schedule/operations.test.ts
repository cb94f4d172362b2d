import { beforeAll, expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { type Account, newAccount, type Reply, sharedAccount, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";

const place = { lat: 52.5, lng: 13.4, address: "Yard", radius: 100 };
const mondays = { type: "weekdays", weekdays: [1] };
const bins = {
  location: place,
  label: "Empty the bins",
  description: "",
  from_time: "06:30:00",
  duration: 60,
  parameters: mondays,
};

let account: Account;
beforeAll(async () => {
  account = await sharedAccount();
});

const create = (more: object = {}, owner = account) =>
  owner.call("/task/schedule/create", { schedule: { ...bins, ...more } }) as Promise<Reply>;
const created = async (more: object = {}, owner = account) => {
  const reply = await create(more, owner);
  expect(reply).toMatchObject({ success: true });
  return Number(reply.id);
};
const read = async (id: number, owner = account) => (await owner.must("/task/schedule/read", { id })).value;
const codeOf = ({ success, status }: Reply) => (success ? "done" : status.code);

test("task/schedule/create stores a schedule as given, update takes it back whole, and delete deletes it", async () => {
  const { id: tracker_id } = await account.newTracker();
  const { id: tag } = await account.must("/tag/create", { tag: { name: "Bins", color: "27A9E3" } });
  const parameters = { type: "month_days", month_days: [1, 31] };
  const limits = { max_delay: 15, min_stay_duration: 5, min_arrival_duration: 1 };
  const id = await created({ ...limits, tracker_id, parameters, tags: [tag, tag], id: null });
  const value = await read(id);
  const shown = {
    id,
    user_id: account.id,
    tracker_id,
    tags: [tag],
    form_template_id: null,
    files: [],
    type: "task",
    paused: false,
  };
  expect(value).toEqual({ ...bins, ...limits, parameters, ...shown });
  const changed = { ...value, label: "Other bins", tracker_id: null, parameters: mondays, tags: [] };
  await account.must("/task/schedule/update", { schedule: changed });
  expect(await read(id)).toEqual(changed);
  await account.must("/task/schedule/delete", { schedule_id: id });
  expect(codeOf(await account.call("/task/schedule/read", { id }))).toBe(201);
  expect(codeOf(await account.call("/task/schedule/delete", { schedule_id: id }))).toBe(201);
  expect(codeOf(await account.call("/task/schedule/update", { schedule: changed }))).toBe(204);
});

test.each([
  ["label", "x".repeat(200), "x".repeat(201)],
  ["label", "é", " "],
  ["description", "x".repeat(1024), "x".repeat(1025)],
  ["location", { ...place, radius: 300_000 }, { ...place, radius: 300_001 }],
  ["location", place, null],
  ["from_time", "23:59:59", "24:00:00"],
  ["from_time", "00:00:00", "6:30:00"],
  ["duration", 1, 0],
  ["duration", 46_080, 46_081],
  ["max_delay", 512_000, 512_001],
  ["min_stay_duration", 0, -1],
  ["min_arrival_duration", 512_000, 512_001],
  ["parameters", { type: "weekdays", weekdays: [1, 2, 3, 4, 5, 6, 7] }, { type: "weekdays", weekdays: [] }],
  ["parameters", { type: "weekdays", weekdays: [7] }, { type: "weekdays", weekdays: [8] }],
  ["parameters", { type: "month_days", month_days: [1] }, { type: "month_days", month_days: [0] }],
  ["parameters", { type: "month_days", month_days: [31] }, { type: "month_days", weekdays: [1] }],
  ["parameters", mondays, { type: "years", years: [1] }],
  ["tags", [], [UNKNOWN_ID]],
])("task/schedule/create with a %s refuses it beyond its limit by name (%#)", async (member, right, wrong) => {
  const id = await created({ [member]: right });
  const value = await read(id);
  const schedule = { ...value, [member]: wrong };
  // An update treats null as left out where null is not allowed.
  const changed = wrong === null ? [] : [await account.call("/task/schedule/update", { schedule })];
  for (const reply of [await create({ [member]: wrong }), ...changed]) {
    expect(codeOf(reply)).toBe(7);
    expect(reply.errors[0].parameter).toMatch(new RegExp(`^schedule\\.${member}`));
  }
  expect(await read(id)).toEqual(value);
});

test("task/schedule/create and update refuse foreign, blocked and unlicensed trackers, and an unknown form template", async () => {
  const owner = await newAccount({ plan: {} });
  const [{ id: foreign }, { id: blocked }] = [await account.newTracker(), await owner.newTracker()];
  const id = await created({}, owner);
  const codes = async (more: object) => [
    codeOf(await create(more, owner)),
    codeOf(await owner.call("/task/schedule/update", { schedule: { ...bins, id, ...more } })),
  ];
  for (const tracker_id of [foreign, UNKNOWN_ID]) expect(await codes({ tracker_id })).toEqual([201, 201]);
  await owner.block(blocked);
  expect(await codes({ tracker_id: blocked })).toEqual([208, 208]);
  await owner.block(blocked, false);
  await owner.changeTariff({ features: [] });
  expect(await codes({ tracker_id: blocked })).toEqual([236, 236]);
  expect(await codes({ form_template_id: 1 })).toEqual([204, 204]);
  expect(await codes({ form_template_id: null })).toEqual(["done", "done"]);
});

test("task/schedule/update keeps a tracker that was blocked, also when it is sent back", async () => {
  const owner = await newAccount();
  const { id: tracker_id } = await owner.newTracker();
  const id = await created({ tracker_id }, owner);
  await owner.block(tracker_id);
  const value = await read(id, owner);
  await owner.must("/task/schedule/update", { schedule: { ...value, label: "Other bins" } });
  expect(await read(id, owner)).toEqual({ ...value, label: "Other bins" });
});

test("task/schedule/list finds schedules by text, tags and trackers, and those without a tracker", async () => {
  const owner = await newAccount();
  const [{ id: one }, { id: other }] = [await owner.newTracker(), await owner.newTracker()];
  const { id: tag } = await owner.must("/tag/create", { tag: { name: "Bins", color: "27A9E3" } });
  await created({ label: "Élan", tracker_id: one, tags: [tag] }, owner);
  await created({ label: "Second", description: "elan too", tracker_id: other }, owner);
  await created({ label: "Nobody's" }, owner);
  const ask = async (wanted: object) =>
    (await owner.must("/task/schedule/list", wanted)).list.map(({ label }: Reply) => label);
  expect(await ask({})).toEqual(["Élan", "Second", "Nobody's"]);
  expect(await ask({ filter: "ELAN" })).toEqual(["Élan", "Second"]);
  expect(await ask({ tag_ids: [tag] })).toEqual(["Élan"]);
  expect(await ask({ trackers: [other] })).toEqual(["Second", "Nobody's"]);
  expect(await ask({ types: ["route"] })).toEqual([]);
  expect(await ask({ types: ["task", "route"], filter: null, tag_ids: null, trackers: null })).toHaveLength(3);

  const { id: subuser_id, hash } = await newSubUser(owner);
  await owner.must("/subuser/tracker/bind", { subuser_id, trackers: [one] });
  const { list } = await owner.must("/task/schedule/list", { hash });
  expect(list.map(({ label }: Reply) => label)).toEqual(["Élan", "Nobody's"]);
  for (const verb of ["create", "update", "delete"]) {
    const given = { hash, schedule: bins, schedule_id: list[0].id };
    expect(codeOf(await owner.call(`/task/schedule/${verb}`, given)), verb).toBe(13);
  }
});

test("task/schedule/proposal/list gives the tasks that schedules will make in the range, by tracker and text", async () => {
  const owner = await newAccount({ time_zone: "UTC" });
  const { id: tracker_id } = await owner.newTracker();
  const parameters = { type: "weekdays", weekdays: [1, 2, 3, 4, 5, 6, 7] };
  const place = { lat: 52.5, lng: 13.4, address: "", radius: 100 };
  const plan = { label: "Round", description: "", location: place, from_time: "12:00:00", duration: 60, parameters };
  const { id } = await owner.must("/task/schedule/create", { schedule: { ...plan, tracker_id } });
  await owner.must("/task/schedule/create", { schedule: { ...plan, label: "Other" } });
  const day = (days: number) => new Date(systemNow() + days * 86_400_000).toISOString().slice(0, 10);
  const list = (given: object = {}) =>
    owner.call("/task/schedule/proposal/list", { from: `${day(1)} 00:00:00`, to: `${day(3)} 11:00:00`, ...given });
  const named = (await list({ filter: "round", trackers: [tracker_id] })).list;
  expect(named).toMatchObject([
    { id, tracker_id, label: "Round", from: `${day(1)} 12:00:00`, to: `${day(1)} 13:00:00`, origin: "scheduled" },
    { id, from: `${day(2)} 12:00:00` },
  ]);
  expect((await list()).list).toHaveLength(4);
  expect((await list({ types: ["route"] })).list).toEqual([]);
  expect((await owner.must("/task/list")).list).toEqual([]);
  expect((await list({ from: `${day(-1)} 00:00:00` })).errors[0].parameter).toBe("from");
  expect((await list({ to: `${day(0)} 00:00:00` })).errors[0].parameter).toBe("to");
  expect((await list({ from: `${day(1)} 12:00:00`, to: `${day(367)} 12:00:00` })).list).toHaveLength(2 * 367);
  const tooLong = await list({ from: `${day(1)} 12:00:00`, to: `${day(367)} 12:00:01` });
  expect(tooLong).toMatchObject({ status: { code: 211 }, max_time_span: "P366D" });
});
