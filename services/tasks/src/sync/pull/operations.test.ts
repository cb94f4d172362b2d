import { beforeAll, expect, test } from "vitest";
import { type Account, newAccount, type Reply, sharedAccount } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";
import { systemNow, writeLocal } from "../../../../../shared/time/clock.ts";
import { DAY_MS } from "../../../../../shared/time/duration.ts";

const at = (ms: number) => writeLocal(systemNow() + ms, "Europe/Berlin");
const dock = { lat: 52.5, lng: 13.4, address: "Dock 4", radius: 100 };
const field = { id: "name", label: "Field", description: "What it is", required: true, type: "text" };
const note = { label: "Note", description: "", submit_in_zone: false, default: false };
const template = { ...note, fields: [{ ...field, min_length: 1, max_length: 20 }] };
const parcel = { label: "Parcel", description: "", location: dock, from: at(DAY_MS), to: at(2 * DAY_MS) };

let account: Account;
beforeAll(async () => {
  account = await sharedAccount();
});

type Caller = Pick<Account, "must" | "call">;
const newTask = async (more: object = {}, owner: Caller = account) =>
  Number((await owner.must("/task/create", { task: { ...parcel, ...more } })).id);

/** Reads all pages after the cursor and merges them as a phone does. */
async function pull(cursor: string | null = null, owner: Caller = account) {
  const tasks = new Map<number, Reply>();
  const templates = new Map<number, Reply>();
  const removed = { tasks: new Set<number>(), form_templates: new Set<number>() };
  let [next, reset, calls] = [cursor, false, 0];
  for (let more = true; more; calls++) {
    const page = await owner.must("/sync/pull", { cursor: next });
    for (const one of page.tasks) tasks.set(one.id, one);
    for (const one of page.form_templates) templates.set(one.id, one);
    for (const id of page.removed.tasks) {
      removed.tasks.add(id);
      tasks.delete(id);
    }
    for (const id of page.removed.form_templates) removed.form_templates.add(id);
    [next, more, reset] = [page.cursor, page.more, reset || page.reset];
  }
  return { tasks, templates, removed, cursor: String(next), reset, calls };
}
const idsOf = (things: Map<number, unknown>) => [...things.keys()];

test("sync/pull gives everything without a cursor, as the read calls do, and then the changes", async () => {
  const owner = await newAccount();
  const { id: tracker_id } = await owner.newTracker();
  const { id: template_id } = await owner.must("/form/template/create", { template });
  const { id: tag_id } = await owner.must("/tag/create", { tag: { name: "Cold", color: "27A9E3" } });
  const id = await newTask({ tracker_id, form_template_id: template_id, tags: [tag_id] }, owner);
  const first = await pull(null, owner);
  expect([first.reset, first.calls, idsOf(first.tasks), idsOf(first.templates)]).toEqual([
    true,
    1,
    [id],
    [template_id],
  ]);
  expect(first.tasks.get(id)).toEqual((await owner.must("/task/read", { task_id: id })).value);
  const quiet = await pull(first.cursor, owner);
  expect([quiet.reset, quiet.tasks.size, quiet.templates.size, quiet.cursor]).toEqual([false, 0, 0, first.cursor]);

  const other = await newTask({}, owner);
  await owner.must("/form/template/update", { template: { ...template, id: template_id, label: "Other" } });
  const changed = await pull(first.cursor, owner);
  expect([idsOf(changed.tasks), changed.templates.get(template_id)?.label]).toEqual([[other], "Other"]);
  await owner.must("/task/delete", { task_id: id });
  await owner.must("/form/template/delete", { template_id });
  const last = await pull(changed.cursor, owner);
  expect([last.tasks.size, [...last.removed.tasks], [...last.removed.form_templates]]).toEqual([
    0,
    [id],
    [template_id],
  ]);
});

test("sync/pull gives a task whose form, tags, status or place in a route changed", async () => {
  const owner = await newAccount();
  const { id: template_id } = await owner.must("/form/template/create", { template });
  const { id: tag_id } = await owner.must("/tag/create", { tag: { name: "Cold", color: "27A9E3" } });
  const id = await newTask({}, owner);
  let { cursor } = await pull(null, owner);
  const changed = async () => {
    const found = await pull(cursor, owner);
    cursor = found.cursor;
    return idsOf(found.tasks).toSorted();
  };
  await owner.must("/task/form/create", { task_id: id, template_id });
  expect(await changed()).toEqual([id]);
  await owner.must("/task/form/values/update", { task_id: id, values: { name: { type: "text", value: "A" } } });
  expect(await changed()).toEqual([id]);
  await owner.must("/task/form/delete", { task_id: id });
  expect(await changed()).toEqual([id]);
  await owner.must("/task/update", { task: { ...parcel, id, tags: [tag_id] } });
  expect(await changed()).toEqual([id]);
  const route = { label: "Round", description: "" };
  const { result } = await owner.must("/task/route/create", { route, checkpoints: [parcel, parcel] });
  const { id: route_id, checkpoint_ids } = result;
  expect(await changed()).toEqual([route_id, ...checkpoint_ids].toSorted());
  await owner.must("/task/checkpoint/delete", { checkpoint_id: checkpoint_ids.at(-1) });
  expect(await changed()).toContain(route_id);
});

test("sync/pull gives more than a page page by page, and misses no change meanwhile", async () => {
  const owner = await newAccount();
  const [changed, gone] = [await newTask({}, owner), await newTask({}, owner)];
  const route = { route: { label: "Round", description: "" }, checkpoints: Array(300).fill(parcel) };
  const routes = [await owner.must("/task/route/create", route), await owner.must("/task/route/create", route)];
  const ids = [changed, gone, ...routes.flatMap(({ result }) => [result.id, ...result.checkpoint_ids])];
  const begun = await owner.must("/sync/pull", {});
  expect([begun.tasks.length, begun.more, begun.reset]).toEqual([500, true, true]);
  const shown = begun.tasks.map(({ id }: Reply) => id);
  expect(shown).toEqual(expect.arrayContaining([changed, gone]));
  await owner.must("/task/update", { task: { ...parcel, id: changed, label: "Other" } });
  await owner.must("/task/delete", { task_id: gone });
  const late = await newTask({}, owner);
  const rest = await pull(begun.cursor, owner);
  expect(rest.tasks.get(changed)?.label).toBe("Other");
  expect([rest.removed.tasks.has(gone), rest.tasks.has(late), rest.reset]).toEqual([true, true, false]);
  const all = new Set([...shown, ...idsOf(rest.tasks)]);
  expect(ids.every((id) => all.has(id))).toBe(true);
});

test("sync/pull misses nothing while ten others write", async () => {
  const owner = await newAccount();
  let { cursor } = await pull(null, owner);
  const seen = new Set<number>();
  let done = false;
  const writing = Promise.all(
    Array.from({ length: 10 }, async () => [await newTask({}, owner), await newTask({}, owner)]),
  ).finally(() => {
    done = true;
  });
  for (let last = false; !last; last = done) {
    const page = await pull(cursor, owner);
    for (const id of page.tasks.keys()) seen.add(id);
    cursor = page.cursor;
  }
  const ids = (await writing).flat();
  for (const id of (await pull(cursor, owner)).tasks.keys()) seen.add(id);
  expect([...seen].toSorted()).toEqual(ids.toSorted());
});

test("sync/pull gives a sub-user the tasks of its trackers, and reports one that moved to another tracker as gone", async () => {
  const owner = await newAccount();
  const [shown, hidden] = [(await owner.newTracker()).id, (await owner.newTracker()).id];
  const { id: subuser_id, hash } = await newSubUser(owner);
  await owner.must("/subuser/tracker/bind", { subuser_id, trackers: [shown] });
  const driver = {
    must: (path: string, parameters = {}) => owner.must(path, { ...parameters, hash }),
    call: (path: string, parameters = {}) => owner.call(path, { ...parameters, hash }),
  };
  const [own, foreign] = [await newTask({ tracker_id: shown }, owner), await newTask({ tracker_id: hidden }, owner)];
  const first = await pull(null, driver);
  expect(idsOf(first.tasks)).toEqual([own]);
  await owner.must("/task/delete", { task_id: foreign });
  await owner.must("/task/assign", { task_id: own, tracker_id: hidden });
  const second = await pull(first.cursor, driver);
  expect([second.tasks.size, [...second.removed.tasks], second.reset]).toEqual([0, [own], false]);
  expect(idsOf((await pull(first.cursor, owner)).tasks)).toEqual([own]);

  await owner.must("/subuser/tracker/bind", { subuser_id, trackers: [hidden] });
  const third = await pull(second.cursor, driver);
  expect([third.reset, idsOf(third.tasks)]).toEqual([true, [own]]);
});

test("sync/pull refuses an invalid cursor, and resets another account's without showing its tasks", async () => {
  expect((await account.call("/sync/pull", { cursor: "1.2" })).status.code).toBe(7);
  const [owner, rival] = [await newAccount(), await newAccount()];
  await newTask({}, owner);
  const { cursor } = await pull(null, owner);
  const theirs = await pull(cursor, rival);
  expect([theirs.reset, theirs.tasks.size]).toEqual([true, 0]);
});
