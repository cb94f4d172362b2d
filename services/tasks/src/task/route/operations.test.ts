import { beforeAll, expect, test } from "vitest";
import { HOUR_MS } from "#shared/time/duration.ts";
import { type Account, newAccount, type Reply, sharedAccount, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";
import { stack } from "#test/tool/system/stack.ts";
import { systemNow, writeLocal } from "../../../../../shared/time/clock.ts";

const ZONE = "Europe/Berlin";
const START = systemNow();
const inHours = (hours: number) => writeLocal(START + hours * HOUR_MS, ZONE);
const place = { lat: 52.5, lng: 13.4, address: "Yard", radius: 100 };
/** A checkpoint from this hour to the next. */
const stopAt = (hour: number, more: object = {}) => ({
  location: place,
  label: `Stop ${hour}`,
  description: "",
  from: inHours(hour),
  to: inHours(hour + 1),
  ...more,
});
const loop = { label: "North loop", description: "All of it" };

let account: Account;
beforeAll(async () => {
  account = await sharedAccount();
});

const codeOf = ({ success, status }: Reply) => (success ? "done" : status.code);
const create = (route: object = {}, checkpoints: object[] = [stopAt(1), stopAt(2), stopAt(3)], owner = account) =>
  owner.call("/task/route/create", { route: { ...loop, ...route }, checkpoints }) as Promise<Reply>;
const created = async (...given: Parameters<typeof create>) => {
  const reply = await create(...given);
  expect(reply).toMatchObject({ success: true });
  return reply.result;
};
const newTask = async (more: object = {}) =>
  Number((await account.must("/task/create", { task: { ...stopAt(5), label: "Lone", ...more } })).id);
const newTag = async (name: string) =>
  Number((await account.must("/tag/create", { tag: { name, color: "27A9E3" } })).id);
const read = async (task_id: number) => account.must("/task/read", { task_id });
const stops = async (route_id: number) =>
  (await read(route_id)).checkpoints.map(({ label, order }: Reply) => `${order} ${label}`);
const historyOf = async (task_id: number) =>
  (await account.must("/task/history/list", { task_id })).list.map(({ operation, payload }: Reply) => [
    operation,
    payload,
  ]);

test("task/route/create makes a route with its checkpoints in order, each with its own tags and history", async () => {
  const { id: tracker_id } = await account.newTracker();
  const [a, b] = [await newTag("A"), await newTag("B")];
  const given = [stopAt(1, { tags: [b, a], external_id: "S-1" }), stopAt(2, { max_delay: 5 })];
  const route = await created({ tracker_id, tags: [a], external_id: "R-1" }, given);
  const [first, second] = route.checkpoint_ids;
  expect(route).toEqual({
    ...loop,
    id: route.id,
    user_id: account.id,
    tracker_id,
    creation_date: route.status_change_date,
    from: inHours(1),
    to: inHours(3),
    external_id: "R-1",
    status: "assigned",
    status_change_date: expect.any(String),
    origin: "manual",
    tags: [a],
    checkpoint_ids: [first, second],
    type: "route",
  });
  expect((await account.must("/task/route/read", { route_id: route.id })).value).toEqual(route);
  const { value, checkpoints } = await read(route.id);
  expect(value).toEqual(route);
  expect(checkpoints).toMatchObject([
    { ...stopAt(1), id: first, parent_id: route.id, order: 0, tracker_id, tags: [b, a], type: "checkpoint" },
    { ...stopAt(2), id: second, parent_id: route.id, order: 1, status: "assigned", max_delay: 5, tags: [] },
  ]);
  expect(await read(first)).toEqual({ success: true, value: checkpoints[0] });
  expect((await account.must("/task/checkpoint/read", { checkpoint_id: first })).value).toEqual(checkpoints[0]);
  expect(await historyOf(route.id)).toMatchObject([["create", { label: "North loop", type: "route", tags: [a] }]]);
  expect(await historyOf(first)).toMatchObject([["create", { parent_id: route.id, order: 0, tags: [b, a] }]]);
  const listed = await account.must("/task/checkpoint/list", { checkpoint_ids: [second, UNKNOWN_ID, first, route.id] });
  expect(listed).toEqual({ success: true, list: checkpoints, count: 2 });
  // Operations on tasks do not find checkpoints.
  for (const path of ["/task/assign", "/task/delete"]) {
    expect(codeOf(await account.call(path, { task_id: first, tracker_id: null })), path).toBe(201);
  }
});

test("task/route/create makes a task with a given id a checkpoint of the route", async () => {
  const { id: tracker_id } = await account.newTracker();
  const id = await newTask({ tags: [await newTag("Old")] });
  const route = await created({ tracker_id }, [stopAt(1), stopAt(2, { id, label: "Taken" }), stopAt(3)]);
  expect(route.checkpoint_ids[1]).toBe(id);
  expect((await read(id)).value).toMatchObject({ label: "Taken", type: "checkpoint", order: 1, tracker_id, tags: [] });
  expect((await historyOf(id)).slice(1)).toMatchObject([
    ["update", { label: "Taken", type: "checkpoint", parent_id: route.id, order: 1, tags: [] }],
    ["assign", { tracker_id }],
    ["status_change", { status: "assigned" }],
  ]);
  for (const wrong of [id, route.id, UNKNOWN_ID]) {
    expect(await create({}, [stopAt(1), stopAt(2, { id: wrong })])).toMatchObject({
      status: { code: 7 },
      errors: [{ parameter: "task.id" }],
    });
  }
  const two = [stopAt(1, { id: await newTask() }), stopAt(2, { id: await newTask() })];
  expect(await create({}, two)).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "task.id" }] });
  expect(await stops(route.id)).toEqual(["0 Stop 1", "1 Taken", "2 Stop 3"]);
});

test("task/route/create refuses values beyond its limits by name, and stores nothing", async () => {
  const before = (await account.must("/task/route/list")).count;
  const refusals: [Promise<Reply>, string][] = [
    [create({}, [stopAt(1)]), "checkpoints"],
    [
      create(
        {},
        Array.from({ length: 501 }, () => stopAt(1)),
      ),
      "checkpoints",
    ],
    [create({ label: " " }), "route.label"],
    [create({}, [stopAt(1), stopAt(2, { label: " " })]), "task.label"],
    [create({}, [stopAt(1), stopAt(2, { to: "tomorrow" })]), "task.to"],
    [create({ external_id: "" }), "route.external_id"],
    [create({ tags: [UNKNOWN_ID] }), "route.tags"],
    [create({}, [stopAt(1), stopAt(2, { tags: [UNKNOWN_ID] })]), "route.tags"],
    [create({}, [stopAt(1), stopAt(-2)]), "task.to"],
    [create({}, [stopAt(3), stopAt(1)]), "task.to"],
    [create({}, [stopAt(1), stopAt(2, { to: inHours(1) })]), "task.from"],
  ];
  for (const [reply, parameter] of refusals) {
    expect(await reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter }] });
  }
  const [{ id: foreign }, { id: blocked }] = [await (await newAccount()).newTracker(), await account.newTracker()];
  expect(codeOf(await create({ tracker_id: foreign }))).toBe(201);
  await account.block(blocked);
  expect(await create({ tracker_id: blocked })).toMatchObject({ errors: [{ parameter: "route.tracker_id" }] });
  expect((await account.must("/task/route/list")).count).toBe(before);
});

test("task/route calls make, read and assign a route of 500 checkpoints, which takes no more", async () => {
  const { id: tracker_id } = await account.newTracker();
  const given = Array.from({ length: 500 }, (_, index) => stopAt(1, { label: `${index}` }));
  const { id: route_id } = await created({}, given);
  await account.must("/task/route/assign", { route_id, tracker_id });
  const { value, checkpoints } = await read(route_id);
  expect(value).toMatchObject({ status: "assigned", tracker_id });
  expect(checkpoints.map(({ label }: Reply) => Number(label))).toEqual(given.map((_, index) => index));
  expect(new Set(checkpoints.map((stop: Reply) => stop.tracker_id))).toEqual(new Set([tracker_id]));
  const checkpoint = { ...stopAt(1), parent_id: route_id, order: 0 };
  const refusal = { status: { code: 7 }, errors: [{ parameter: "task.parent_id" }] };
  expect(await account.call("/task/checkpoint/create", { checkpoint })).toMatchObject(refusal);
  const task_id = await newTask();
  expect(codeOf(await account.call("/task/transmute", { task_id, route_id, order: 0 }))).toBe(7);
  await account.must("/task/route/delete", { route_id });
  expect(codeOf(await account.call("/task/read", { task_id: checkpoints[0].id }))).toBe(201);
});

test("task/route/assign assigns a route with its checkpoints, under the conditions of a task", async () => {
  const owner = await newAccount({ plan: {} });
  const [{ id: foreign }, { id: tracker_id }] = [await account.newTracker(), await owner.newTracker()];
  const { id: route_id, checkpoint_ids } = await created({}, undefined, owner);
  const assign = async (to: number | null, id = route_id) =>
    codeOf(await owner.call("/task/route/assign", { route_id: id, tracker_id: to }));
  expect(await assign(tracker_id)).toBe("done");
  const { list } = await owner.must("/task/checkpoint/list", { checkpoint_ids });
  expect(new Set(list.map((stop: Reply) => `${stop.tracker_id} ${stop.status}`))).toEqual(
    new Set([`${tracker_id} assigned`]),
  );
  const { list: history } = await owner.must("/task/history/list", { task_id: checkpoint_ids[1] });
  expect(history.map(({ operation }: Reply) => operation)).toEqual(["create", "assign", "status_change"]);
  expect([await assign(foreign), await assign(UNKNOWN_ID)]).toEqual([204, 204]);
  expect([await assign(null, checkpoint_ids[0]), await assign(null, UNKNOWN_ID)]).toEqual([201, 201]);
  await owner.block(tracker_id);
  expect(await assign(tracker_id)).toBe(208);
  await owner.block(tracker_id, false);
  await owner.changeTariff({ features: [] });
  expect(await assign(tracker_id)).toBe(236);
  const checkpoint = { ...stopAt(1), parent_id: route_id, order: 0 };
  expect(codeOf(await owner.call("/task/checkpoint/create", { checkpoint }))).toBe(236);
  expect(codeOf(await create({ tracker_id }, undefined, owner))).toBe(236);
  expect(await assign(null)).toBe("done");
  await owner.must("/task/checkpoint/create", { checkpoint });
  expect((await owner.must("/task/route/read", { route_id })).value).toMatchObject({ tracker_id: null });
});

test("task/checkpoint calls add, move and delete checkpoints, and the route follows", async () => {
  const { id: route_id, checkpoint_ids } = await created();
  const [first, second, third] = checkpoint_ids;
  const add = async (order: number, label: string, more: object = {}) => {
    const checkpoint = { ...stopAt(4, { label, ...more }), parent_id: route_id, order };
    return account.must("/task/checkpoint/create", { checkpoint });
  };
  await add(1, "In between");
  await add(99, "Last", { to: inHours(9), external_id: `E-${route_id}` });
  expect(await stops(route_id)).toEqual(["0 Stop 1", "1 In between", "2 Stop 2", "3 Stop 3", "4 Last"]);
  expect((await read(route_id)).value).toMatchObject({ from: inHours(1), to: inHours(9) });

  const move = async (checkpoint_id: number, order?: number) => {
    const { value } = await account.must("/task/checkpoint/read", { checkpoint_id });
    await account.must("/task/checkpoint/update", { checkpoint: { ...value, order } });
  };
  await move(third, 0);
  expect(await stops(route_id)).toEqual(["0 Stop 3", "1 Stop 1", "2 In between", "3 Stop 2", "4 Last"]);
  await move(first, 3);
  expect(await stops(route_id)).toEqual(["0 Stop 3", "1 In between", "2 Stop 2", "3 Stop 1", "4 Last"]);
  expect(await historyOf(first)).toMatchObject([
    ["create", {}],
    ["update", { order: 3 }],
  ]);
  await move(second);
  expect((await read(route_id)).value).toMatchObject({ from: inHours(3), to: inHours(9) });
  const again = await add(0, "First", { external_id: `E-${route_id}` });
  expect(again.external_id_counts).toEqual([{ external_id: `E-${route_id}`, count: 2 }]);

  await account.must("/task/checkpoint/delete", { checkpoint_id: third });
  await account.must("/task/checkpoint/delete", { checkpoint_id: again.id });
  expect(await stops(route_id)).toEqual(["0 In between", "1 Stop 2", "2 Stop 1", "3 Last"]);
  expect((await read(route_id)).value).toMatchObject({ from: inHours(4), to: inHours(9) });
  const { value } = await read(first);
  const refused = [
    { checkpoint: { ...value, label: " " } },
    { checkpoint: { ...value, order: -1 } },
    { checkpoint: { ...value, tags: [UNKNOWN_ID] } },
    { checkpoint: { ...value, to: inHours(-1) } },
  ];
  for (const given of refused) {
    for (const verb of ["create", "update"]) {
      const reply = await account.call(`/task/checkpoint/${verb}`, given);
      expect(codeOf(reply), JSON.stringify(given)).toBe(7);
      expect(reply.errors[0].parameter).toMatch(/^task\./);
    }
  }
  expect((await read(first)).value).toEqual(value);
  const unknown = { checkpoint: { ...value, id: UNKNOWN_ID, parent_id: UNKNOWN_ID } };
  for (const verb of ["create", "update"]) {
    expect(codeOf(await account.call(`/task/checkpoint/${verb}`, unknown)), verb).toBe(201);
  }
  for (const verb of ["delete", "read", "transmute"]) {
    expect(codeOf(await account.call(`/task/checkpoint/${verb}`, { checkpoint_id: route_id })), verb).toBe(201);
  }
});

test("task/route/update keeps checkpoints in a new order, makes and deletes others, or leaves all if none are given", async () => {
  const [a, b] = [await newTag("U"), await newTag("V")];
  const { id: tracker_id } = await account.newTracker();
  const route = await created({ tags: [a], tracker_id }, [stopAt(1, { tags: [a] }), stopAt(2), stopAt(3)]);
  const { checkpoints } = await read(route.id);
  const [first, second, third] = checkpoints;
  const update = (more: object, stops: object[] | null) =>
    account.call("/task/route/update", { route: { ...route, ...more }, checkpoints: stops }) as Promise<Reply>;

  const changed = { ...loop, label: "South loop", tags: [b, a], checkpoint_ids: null };
  const { result: alone } = await update(changed, null);
  expect(alone).toEqual({ ...route, ...changed, checkpoint_ids: route.checkpoint_ids });
  expect((await read(route.id)).checkpoints).toEqual(checkpoints);
  expect((await historyOf(route.id)).slice(1)).toEqual([["update", { label: "South loop", tags: [b, a] }]]);

  // Checkpoints follow the order of the ids; one without an id stays after the one before it.
  const order = [third.id, first.id];
  const stops = [{ ...first, label: "One", tags: [b] }, stopAt(4, { label: "New", tags: [a] }), third];
  const { result } = await update({ checkpoint_ids: order }, stops);
  const fresh = result.checkpoint_ids[2];
  expect(result).toMatchObject({ label: loop.label, tags: [a], from: inHours(3), to: inHours(5) });
  expect(result.checkpoint_ids).toEqual([...order, fresh]);
  const now = (await read(route.id)).checkpoints;
  expect(now.map(({ label, tags, order, tracker_id }: Reply) => ({ label, tags, order, tracker_id }))).toEqual([
    { label: "Stop 3", tags: [], order: 0, tracker_id },
    { label: "One", tags: [b], order: 1, tracker_id },
    { label: "New", tags: [a], order: 2, tracker_id },
  ]);
  expect(now[2]).toMatchObject({ id: fresh, status: "assigned", origin: "manual" });
  expect((await historyOf(first.id)).slice(1)).toEqual([["update", { label: "One", tags: [b], order: 1 }]]);
  expect((await historyOf(third.id)).slice(1)).toEqual([["update", { order: 0 }]]);
  expect(await historyOf(fresh)).toMatchObject([["create", { label: "New", tags: [a], order: 2 }]]);
  expect(codeOf(await account.call("/task/read", { task_id: second.id }))).toBe(201);

  const other = (await created()).checkpoint_ids[0];
  const refusals: [object, object[] | null, string][] = [
    [{}, null, "checkpoints"],
    [{}, [], "checkpoints"],
    [{}, [{ ...first, id: second.id }], "task.id"],
    [{}, [{ ...first, id: other }], "task.id"],
    [{}, [first, first], "task.id"],
    [{}, [{ ...first, to: inHours(-1) }], "task.to"],
    [{ tags: [UNKNOWN_ID] }, [first], "route.tags"],
    [{ label: "" }, [first], "route.label"],
  ];
  for (const [more, given, parameter] of refusals) {
    const reply = await update(more, given);
    expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter }] });
  }
  expect(codeOf(await update({ id: UNKNOWN_ID }, [stopAt(1)]))).toBe(201);
  expect(codeOf(await update({ id: first.id }, [stopAt(1)]))).toBe(201);
  expect((await read(route.id)).checkpoints).toEqual(now);
});

test("task/transmute makes tasks checkpoints and checkpoints tasks, and a route without any is deleted", async () => {
  const { id: tracker_id } = await account.newTracker();
  const { id: route_id, checkpoint_ids } = await created({ tracker_id }, [stopAt(1), stopAt(2)]);
  const task_id = await newTask({ from: inHours(0.5) });
  await account.must("/task/transmute", { task_id, route_id, order: 0 });
  expect(await stops(route_id)).toEqual(["0 Lone", "1 Stop 1", "2 Stop 2"]);
  expect((await read(task_id)).value).toMatchObject({ tracker_id, status: "assigned", parent_id: route_id });
  expect((await read(route_id)).value).toMatchObject({ from: inHours(0.5), to: inHours(3) });
  expect((await historyOf(task_id)).slice(1)).toEqual([
    ["update", { type: "checkpoint", parent_id: route_id, order: 0 }],
    ["assign", { tracker_id }],
    ["status_change", { status: "assigned" }],
  ]);
  const again = await newTask();
  for (const wrong of [
    { task_id: checkpoint_ids[0], route_id: again },
    { task_id: again, route_id: again },
    { task_id: again, route_id: UNKNOWN_ID },
    { task_id: UNKNOWN_ID, route_id },
  ]) {
    expect(codeOf(await account.call("/task/transmute", { order: 0, ...wrong })), JSON.stringify(wrong)).toBe(201);
  }
  await account.must("/task/checkpoint/transmute", { checkpoint_id: task_id });
  const { value } = await read(task_id);
  expect(value).toMatchObject({ type: "task", tracker_id, status: "assigned" });
  expect(value).not.toHaveProperty("parent_id");
  expect(await stops(route_id)).toEqual(["0 Stop 1", "1 Stop 2"]);
  for (const checkpoint_id of checkpoint_ids) {
    await account.must("/task/checkpoint/transmute", { checkpoint_id });
  }
  expect(codeOf(await account.call("/task/route/read", { route_id }))).toBe(201);
  expect((await account.must("/task/list", { trackers: [tracker_id] })).count).toBe(3);
});

test("a route fails when all its checkpoints are over and one has failed, and cannot be changed any more", async () => {
  const { id: tracker_id } = await account.newTracker();
  const route = await createDueNow(tracker_id, (last) => [stopAt(-1, last), stopAt(0, last)]);
  const begun = await createDueNow(tracker_id, (last) => [stopAt(-1, last), stopAt(3, isoPeriod(3, 4))]);
  await stack.fireCron("tasks");
  expect((await read(route.id)).value).toMatchObject({ status: "failed" });
  expect((await read(begun.id)).value).toMatchObject({ status: "assigned" });
  expect((await historyOf(route.id)).slice(1)).toEqual([["status_change", { status: "failed" }]]);
  const range = { from: inHours(-1), to: inHours(1), events: ["checkpoint_failed", "route_failed"] };
  const { list } = await account.must("/history/tracker/list", { trackers: [tracker_id], ...range });
  const [first, second] = route.checkpoint_ids;
  expect(list.map(({ event, extra }: Reply) => [event, extra.task_id, extra.parent_task_id]).toSorted()).toEqual(
    [
      ["checkpoint_failed", first, route.id],
      ["checkpoint_failed", second, route.id],
      ["checkpoint_failed", begun.checkpoint_ids[0], begun.id],
      ["route_failed", route.id, undefined],
    ].toSorted(),
  );
  const { value } = await read(first);
  const task_id = await newTask();
  const later = { from: inHours(1), to: inHours(2) };
  const closed: [string, object][] = [
    ["/task/route/assign", { route_id: route.id, tracker_id: null }],
    ["/task/route/assign", { route_id: begun.id, tracker_id: null }],
    ["/task/transmute", { task_id, route_id: begun.id, order: 0 }],
    ["/task/route/update", { route: { ...begun, checkpoint_ids: null } }],
    ["/task/checkpoint/delete", { checkpoint_id: first }],
    ["/task/checkpoint/transmute", { checkpoint_id: begun.checkpoint_ids[1] }],
    ["/task/checkpoint/update", { checkpoint: { ...value, ...later } }],
  ];
  for (const [path, given] of closed) expect(codeOf(await account.call(path, given)), path).toBe(255);
  const checkpoint = { ...stopAt(1), parent_id: route.id, order: 0 };
  expect(await account.call("/task/checkpoint/create", { checkpoint })).toMatchObject({
    status: { code: 7 },
    errors: [{ parameter: "task.parent_id" }],
  });
  await account.must("/task/route/delete", { route_id: route.id });
  // The remaining checkpoint has ended, and so has the route.
  await account.must("/task/checkpoint/delete", { checkpoint_id: begun.checkpoint_ids[1] });
  expect((await read(begun.id)).value).toMatchObject({ status: "failed", checkpoint_ids: [begun.checkpoint_ids[0]] });
});

test("task/route/list finds routes by text, time, status and tracker, and for a sub-user the visible ones", async () => {
  const owner = await newAccount();
  const [{ id: seen }, { id: hidden }] = [await owner.newTracker(), await owner.newTracker()];
  await created({ label: "Élan", tracker_id: seen }, undefined, owner);
  const { id: other } = await created(
    { label: "B", description: "elan", tracker_id: hidden },
    [stopAt(8), stopAt(9)],
    owner,
  );
  await created({ label: "Nobody's" }, undefined, owner);
  const ask = async (wanted: object) =>
    (await owner.must("/task/route/list", wanted)).list.map(({ label }: Reply) => label);
  expect(await ask({ filter: "ELAN" })).toEqual(["Élan", "B"]);
  expect(await ask({ statuses: ["unassigned"] })).toEqual(["Nobody's"]);
  expect(await ask({ trackers: [hidden] })).toEqual(["B"]);
  expect(await ask({ from: inHours(7) })).toEqual(["B"]);
  expect(await ask({ to: inHours(7) })).toEqual(["Élan", "Nobody's"]);
  expect(codeOf(await owner.call("/task/route/list", { filter: "x".repeat(101) }))).toBe(7);
  const { id: subuser_id, hash } = await newSubUser(owner);
  await owner.must("/subuser/tracker/bind", { subuser_id, trackers: [seen] });
  expect(await ask({ hash })).toEqual(["Élan", "Nobody's"]);
  expect(codeOf(await owner.call("/task/route/read", { hash, route_id: other }))).toBe(201);
  expect(codeOf(await owner.call("/task/route/delete", { hash, route_id: other }))).toBe(13);
});

/** Makes a route with checkpoints that end now. Their end passes if the second changes before the call arrives: then again. */
async function createDueNow(tracker_id: number, stopsOf: (lastHour: object) => object[]): Promise<Reply> {
  const given = { route: { ...loop, tracker_id }, checkpoints: stopsOf(isoPeriod(-1, 0)), iso_datetime: true };
  const reply = await account.call("/task/route/create", given);
  expect([true, 7]).toContain(reply.success || codeOf(reply));
  return reply.success ? reply.result : createDueNow(tracker_id, stopsOf);
}

/** Hours from now, by UTC: in an hour that local clocks show twice, the local time would be that of an hour ago. */
function isoPeriod(first: number, last: number) {
  const [from, to] = [first, last].map((hours) => new Date(systemNow() + hours * HOUR_MS).toISOString());
  return { from, to };
}
