import { beforeAll, expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { type Account, newAccount, operator, type Reply, sharedAccount, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";

const place = { lat: 52.5, lng: 13.4, address: "Yard", radius: 100 };
const parameters = { type: "month_days", month_days: [1, 15] };
const round = { label: "Weekly round", description: "", parameters };
const stay = { max_delay: 5, min_stay_duration: 0, min_arrival_duration: 0 };
const stopAt = (hour: string, more: object = {}) => ({
  ...{ location: place, label: `Stop ${hour}`, description: "", from_time: `${hour}:30:00`, duration: 60, ...stay },
  ...more,
});
const TWO = [stopAt("08"), stopAt("09")];

let account: Account;
beforeAll(async () => {
  account = await sharedAccount();
});

const codeOf = ({ success, status }: Reply) => (success ? "done" : status.code);
const create = (route: object = {}, checkpoints: object[] = TWO, owner = account) =>
  owner.call("/task/schedule/route/create", { route: { ...round, ...route }, checkpoints }) as Promise<Reply>;
const created = async (...given: Parameters<typeof create>) => {
  const reply = await create(...given);
  expect(reply).toMatchObject({ success: true });
  return Number(reply.id);
};
const update = (id: number, route: object = {}, checkpoints?: object[], owner = account) =>
  owner.call("/task/schedule/route/update", { route: { id, ...route }, checkpoints }) as Promise<Reply>;
const read = (id: number, owner = account) => owner.must("/task/schedule/read", { id });
const labelsOf = async (id: number, owner = account) =>
  (await read(id, owner)).checkpoints.map(({ label, order }: Reply) => `${order} ${label}`);
const newTag = async (name: string) =>
  Number((await account.must("/tag/create", { tag: { name, color: "27A9E3" } })).id);

test("task/schedule/route/create stores checkpoints with their route, update takes them back, and delete deletes them", async () => {
  const { id: tracker_id } = await account.newTracker();
  const [a, b] = [await newTag("Route"), await newTag("Stop")];
  const id = await created({ tracker_id, tags: [a], id: 5 }, [stopAt("08", { tags: [b, a], id: 6 }), stopAt("09")]);
  const { value, checkpoints } = await read(id);
  const route = { ...round, id, user_id: account.id, tracker_id, tags: [a], type: "route", paused: false };
  expect(value).toEqual(route);
  const shown = {
    user_id: account.id,
    tracker_id,
    parent_id: id,
    form_template_id: null,
    files: [],
    type: "checkpoint",
  };
  expect(checkpoints).toEqual([
    { ...stopAt("08"), ...shown, id: checkpoints[0].id, order: 0, tags: [b, a] },
    { ...stopAt("09"), ...shown, id: checkpoints[1].id, order: 1, tags: [] },
  ]);
  expect(await read(checkpoints[0].id)).toEqual({ success: true, value: checkpoints[0] });
  expect(codeOf(await update(id, value, checkpoints))).toBe("done");
  expect(await read(id)).toEqual({ success: true, value, checkpoints });
  await account.must("/task/schedule/route/delete", { id });
  for (const gone of [id, checkpoints[0].id]) {
    expect(codeOf(await account.call("/task/schedule/read", { id: gone }))).toBe(201);
  }
  expect(codeOf(await account.call("/task/schedule/route/delete", { id }))).toBe(201);
  expect(codeOf(await update(id, value))).toBe(204);
});

test("task/schedule/route/update changes, makes and deletes checkpoints as the list says, or keeps all without a list", async () => {
  const id = await created({}, [...TWO, stopAt("10")]);
  const { checkpoints } = await read(id);
  const [first, last] = [checkpoints[0], checkpoints[2]];
  const tag = await newTag("Kept");
  await update(id, {}, [
    { id: last.id, from_time: "07:00:00", tags: [tag] },
    stopAt("11"),
    { id: first.id, from_time: "12:00:00" },
  ]);
  expect(await labelsOf(id)).toEqual(["0 Stop 10", "1 Stop 11", "2 Stop 08"]);
  const before = (await read(id)).checkpoints;
  expect(before[0]).toEqual({ ...last, order: 0, from_time: "07:00:00", tags: [tag] });
  const { id: tracker_id } = await account.newTracker();
  await update(id, { label: "Other", tracker_id });
  const after = await read(id);
  expect(after.value).toMatchObject({ label: "Other", tracker_id, parameters });
  expect(after.checkpoints).toEqual(before.map((stop: object) => ({ ...stop, tracker_id })));
});

test.each([
  ["route.label", { label: " " }, TWO],
  ["route.parameters.month_days", { parameters: { type: "month_days", month_days: [] } }, TWO],
  ["route.tags", { tags: [UNKNOWN_ID] }, TWO],
  ["checkpoints", {}, [stopAt("08")]],
  ["checkpoints", {}, Array.from({ length: 501 }, () => stopAt("08"))],
  ["checkpoints.1.label", {}, [stopAt("08"), stopAt("09", { label: " " })]],
  ["checkpoints.1.from_time", {}, [stopAt("08"), stopAt("24")]],
  ["checkpoints.1.duration", {}, [stopAt("08"), stopAt("06")]],
  ["route.tags", {}, [stopAt("08"), stopAt("09", { tags: [UNKNOWN_ID] })]],
])("task/schedule/route/create and update refuse a wrong %s by name (%#)", async (parameter, route, stops) => {
  const id = await created();
  const before = await read(id);
  for (const reply of [await create(route, stops), await update(id, route, stops)]) {
    expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter }] });
  }
  expect(await read(id)).toEqual(before);
});

test("task/schedule/route/update refuses checkpoints of other routes, and one that comes twice", async () => {
  const [id, other] = [await created(), await created()];
  const [{ id: own }] = (await read(id)).checkpoints;
  const [{ id: foreign }] = (await read(other)).checkpoints;
  for (const wrong of [foreign, id, UNKNOWN_ID, own]) {
    expect(await update(id, {}, [{ id: own }, { id: wrong }])).toMatchObject({
      status: { code: 7 },
      errors: [{ parameter: "checkpoints.1.id" }],
    });
  }
});

test("task/schedule/route/create and update refuse foreign, blocked and unlicensed trackers, and an unknown form template", async () => {
  const owner = await newAccount({ plan: {} });
  const [{ id: foreign }, { id: blocked }] = [await account.newTracker(), await owner.newTracker()];
  const id = await created({}, TWO, owner);
  const codes = async (more: object, stops = TWO) => [
    codeOf(await create(more, stops, owner)),
    codeOf(await update(id, more, stops, owner)),
  ];
  for (const tracker_id of [foreign, UNKNOWN_ID]) expect(await codes({ tracker_id })).toEqual([201, 201]);
  await owner.block(blocked);
  expect(await codes({ tracker_id: blocked })).toEqual([208, 208]);
  await owner.block(blocked, false);
  await owner.changeTariff({ features: [] });
  expect(await codes({ tracker_id: blocked })).toEqual([236, 236]);
  const formed = [stopAt("08"), stopAt("09", { form_template_id: 1 })];
  expect(await codes({}, formed)).toEqual([204, 204]);
});

test("the limit of schedules counts a route with each of its checkpoints", async () => {
  const owner = await newAccount();
  const limits = { schedules: 4 };
  await operator.must("/panel/user/update", { user_id: owner.id, limits });
  const id = await created({}, TWO, owner);
  expect(codeOf(await create({}, TWO, owner))).toBe(268);
  const stops = (await read(id, owner)).checkpoints;
  expect(codeOf(await update(id, {}, [...stops, stopAt("10"), stopAt("11")], owner))).toBe(268);
  expect(codeOf(await update(id, {}, [...stops, stopAt("10")], owner))).toBe("done");
});

test("task/schedule/checkpoint/delete moves the following checkpoints up, and refuses to leave fewer than two", async () => {
  const id = await created({}, [...TWO, stopAt("10")]);
  const [first, second] = (await read(id)).checkpoints;
  const remove = (checkpoint_id: number) => account.call("/task/schedule/checkpoint/delete", { checkpoint_id });
  for (const wrong of [id, UNKNOWN_ID]) expect(codeOf(await remove(wrong))).toBe(201);
  expect(codeOf(await remove(first.id))).toBe("done");
  expect(await labelsOf(id)).toEqual(["0 Stop 09", "1 Stop 10"]);
  expect(await remove(second.id)).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "checkpoint_id" }] });
});

test("task/schedule/checkpoint/delete refuses one of two calls at once that would leave one checkpoint", async () => {
  const id = await created({}, [...TWO, stopAt("10")]);
  const [first, second] = (await read(id)).checkpoints;
  const remove = ({ id: checkpoint_id }: Reply) => account.call("/task/schedule/checkpoint/delete", { checkpoint_id });
  const codes = (await Promise.all([remove(first), remove(second)])).map(codeOf);
  expect(codes.toSorted()).toEqual([7, "done"]);
  expect(await labelsOf(id)).toHaveLength(2);
});

test("task/schedule/checkpoint/transmute makes a checkpoint a task's schedule on its route's days", async () => {
  const { id: tracker_id } = await account.newTracker();
  const tag = await newTag("Stays");
  const id = await created({ tracker_id }, [stopAt("08"), stopAt("09", { tags: [tag] })]);
  const [first, second] = (await read(id)).checkpoints;
  const transmute = (checkpoint_id: number) => account.call("/task/schedule/checkpoint/transmute", { checkpoint_id });
  expect(codeOf(await transmute(id))).toBe(201);
  expect(codeOf(await transmute(second.id))).toBe("done");
  expect(codeOf(await transmute(second.id))).toBe(201);
  const { parent_id, order, ...members } = second;
  expect((await read(second.id)).value).toEqual({ ...members, parameters, type: "task", paused: false, tags: [tag] });
  for (const gone of [id, first.id]) {
    expect(codeOf(await account.call("/task/schedule/read", { id: gone }))).toBe(201);
  }
  expect(codeOf(await account.call("/task/schedule/update", { schedule: { id: second.id, label: "Own" } }))).toBe(
    "done",
  );
});

test("task schedules and route schedules cannot be changed or deleted as the other", async () => {
  const id = await created();
  const [{ id: checkpoint }] = (await read(id)).checkpoints;
  const { id: lone } = await account.must("/task/schedule/create", { schedule: { ...stopAt("08"), parameters } });
  for (const wrong of [id, checkpoint]) {
    expect(codeOf(await account.call("/task/schedule/update", { schedule: { id: wrong } }))).toBe(204);
    expect(codeOf(await account.call("/task/schedule/delete", { schedule_id: wrong }))).toBe(201);
  }
  for (const wrong of [lone, checkpoint]) {
    expect(codeOf(await update(wrong))).toBe(204);
    expect(codeOf(await account.call("/task/schedule/route/delete", { id: wrong }))).toBe(201);
  }
});

test("task/schedule/list gives routes on request and no checkpoints, and to a sub-user those of its trackers", async () => {
  const owner = await newAccount();
  const [{ id: one }, { id: other }] = [await owner.newTracker(), await owner.newTracker()];
  const id = await created({ tracker_id: one }, TWO, owner);
  const hidden = await created({ tracker_id: other, label: "Other" }, TWO, owner);
  await owner.must("/task/schedule/create", { schedule: { ...stopAt("08"), parameters } });
  const list = async (given: object) =>
    (await owner.must("/task/schedule/list", given)).list.map(({ label }: Reply) => label);
  expect(await list({})).toEqual(["Stop 08"]);
  expect(await list({ types: ["route"] })).toEqual(["Weekly round", "Other"]);
  expect(await list({ types: ["task", "route"], filter: "o" })).toEqual(["Weekly round", "Other", "Stop 08"]);
  const { id: subuser_id, hash } = await newSubUser(owner);
  await owner.must("/subuser/tracker/bind", { subuser_id, trackers: [one] });
  expect(await list({ hash, types: ["route"] })).toEqual(["Weekly round"]);
  const [{ id: checkpoint_id }] = (await read(hidden, owner)).checkpoints;
  for (const unseen of [hidden, checkpoint_id]) {
    expect(codeOf(await owner.call("/task/schedule/read", { hash, id: unseen }))).toBe(201);
  }
  const given = { hash, id, checkpoint_id, route: { ...round, id }, checkpoints: TWO };
  for (const path of ["route/create", "route/update", "route/delete", "checkpoint/delete", "checkpoint/transmute"]) {
    expect(codeOf(await owner.call(`/task/schedule/${path}`, given)), path).toBe(13);
  }
});

test("task/schedule/proposal/list gives routes to come with the ids of their schedules", async () => {
  const owner = await newAccount({ time_zone: "UTC" });
  const daily = { type: "weekdays", weekdays: [1, 2, 3, 4, 5, 6, 7] };
  const id = await created({ parameters: daily }, TWO, owner);
  const { checkpoints } = await read(id, owner);
  const day = (days: number) => new Date(systemNow() + days * 86_400_000).toISOString().slice(0, 10);
  const list = async (given: object = {}) =>
    (
      await owner.must("/task/schedule/proposal/list", {
        from: `${day(1)} 00:00:00`,
        to: `${day(2)} 00:00:00`,
        ...given,
      })
    ).list;
  const checkpoint_ids = checkpoints.map(({ id: stop }: Reply) => stop);
  const period = { from: `${day(1)} 08:30:00`, to: `${day(1)} 10:30:00` };
  expect(await list()).toMatchObject([{ id, type: "route", checkpoint_ids, ...period, origin: "scheduled" }]);
  expect(await list({ types: ["task"] })).toEqual([]);
  expect((await owner.must("/task/route/list")).list).toEqual([]);
});
