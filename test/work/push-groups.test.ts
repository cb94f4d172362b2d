import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { systemNow, writeLocal } from "../../shared/time/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../shared/time/duration.ts";
import { type Account, type Reply, sharedAccount } from "../tool/call/account.ts";

const at = (ms: number) => writeLocal(systemNow() + ms, "Europe/Berlin");
const DOCK = { lat: 52.5, lng: 13.4, address: "Dock 4" };
const FIELD = { id: "name", label: "Field", description: "What it is", type: "text" };
const NOTE = {
  ...{ label: "Note", description: "", submit_in_zone: false, default: false },
  fields: [{ ...FIELD, required: true, min_length: 1, max_length: 20 }],
};
const START = systemNow();

let account: Account;
let tracker_id: number;
let template_id: number;
beforeAll(async () => {
  account = await sharedAccount();
  tracker_id = (await account.newTracker()).id;
  template_id = (await account.must("/form/template/create", { template: NOTE })).id;
});

type Item = { uuid: string; time: string; operation: string; params: object };
let minutes = 0;
/** Each is done a minute after the one before. */
function item(operation: string, params: object): Item {
  return { uuid: randomUUID(), time: at(minutes++ * MINUTE_MS - DAY_MS / 2), operation, params };
}
const issue = (task_id: number) => item("task/form/create", { task_id, template_id });
const fill = (task_id: number, value: string) =>
  item("task/form/values/update", { task_id, values: { name: { type: "text", value } }, location: DOCK });
const codeOf = ({ success, status }: Reply) => (success ? "done" : status.code);

async function push(items: Item[]): Promise<Reply[]> {
  const { results } = await account.must("/sync/push", { items });
  expect(results.map(({ uuid }: Reply) => uuid)).toEqual(items.map(({ uuid }) => uuid));
  return results.map(({ answer }: Reply) => answer);
}

async function newTasks(count: number): Promise<number[]> {
  const task = { label: "Parcel", description: "", location: { ...DOCK, radius: 100 }, tracker_id };
  const given = { task: { ...task, from: at(-DAY_MS), to: at(DAY_MS) } };
  const made = await Promise.all(Array.from({ length: count }, () => account.must("/task/create", given)));
  return made.map(({ id }) => Number(id));
}

/** The stops of one route: one call makes them all. */
async function newStops(count: number): Promise<number[]> {
  const stop = { label: "Parcel", description: "", location: { ...DOCK, radius: 100 } };
  const checkpoints = Array(count).fill({ ...stop, from: at(-DAY_MS), to: at(DAY_MS) });
  const route = { label: "Round", description: "", tracker_id };
  return (await account.must("/task/route/create", { route, checkpoints })).result.checkpoint_ids;
}

async function formOf(task_id: number): Promise<[string | undefined, string | null] | null> {
  const { value } = await account.must("/task/form/read", { task_id });
  return value && [value.values?.name.value, value.submitted];
}

test("sync/push of forms that are issued and filled alternately gives each its values and its time", async () => {
  const tasks = await newStops(70);
  const items = tasks.flatMap((task_id, index) => [issue(task_id), fill(task_id, `${index}`)]);
  const answers = await push(items);
  expect(new Set(answers.map(codeOf))).toEqual(new Set(["done"]));
  const forms = await Promise.all(tasks.map(formOf));
  expect(forms).toEqual(tasks.map((_, index) => [`${index}`, items[2 * index + 1]?.time]));
  expect(await push(items)).toEqual(answers);
});

test("sync/push keeps the order of items on one task, and an item that fails takes no other along", async () => {
  const [first = 0, second = 0, third = 0, fourth = 0] = await newTasks(4);
  const steps: [Item, number | "done"][] = [
    // Before it has a form, there is nothing to fill in.
    [fill(first, "early"), 201],
    [issue(second), "done"],
    [issue(first), "done"],
    [fill(second, "one"), "done"],
    [issue(first), 247],
    [fill(first, "two"), "done"],
    [issue(999_999_999), 201],
    [fill(999_999_999, "none"), 201],
    [fill(second, ""), 242],
    [issue(third), "done"],
    [item("task/form/delete", { task_id: third }), 111],
    [fill(second, "three"), "done"],
    [item("task/form/create", { task_id: "?", template_id }), 7],
    [fill(third, "four"), "done"],
    [fill(fourth, "five"), 201],
  ];
  const items = steps.map(([one]) => one);
  const answers = await push(items);
  expect(answers.map(codeOf)).toEqual(steps.map(([, code]) => code));
  expect(await Promise.all([first, second, third, fourth].map(formOf))).toEqual([
    ["two", items[5]?.time],
    ["three", items[11]?.time],
    ["four", items[13]?.time],
    null,
  ]);
});

test("forms of check-ins that are issued together answer their own ids, and each check-in has its own", async () => {
  const { id } = await account.newTracker();
  const issued = Array.from({ length: 12 }, () => item("checkin/form/create", { tracker_id: id, template_id }));
  const unknown = item("checkin/form/create", { tracker_id: 999_999_999, template_id });
  const checkins = issued.map(({ uuid }, index) => {
    const values = { name: { type: "text", value: `${index}` } };
    const form_submission = { form_id: { result_of: uuid }, values };
    return item("checkin/create", { tracker_id: id, location: DOCK, comment: `${index}`, form_submission });
  });
  const items = [unknown, ...issued.flatMap((one, index) => [one, checkins[index] as Item])];
  const answers = await push(items);
  expect(answers.map(codeOf)).toEqual([201, ...issued.flatMap(() => ["done", "done"])]);
  const { list } = await account.must("/checkin/list", { trackers: [id], sort: ["marker_time=asc"] });
  expect(list.map(({ comment }: Reply) => comment)).toEqual(checkins.map((_, index) => `${index}`));
  const values = await Promise.all(
    list.map(async ({ form_id }: Reply) => (await account.must("/form/read", { id: form_id })).value.values.name.value),
  );
  expect(values).toEqual(list.map(({ comment }: Reply) => comment));
  // Forms and check-ins are numbered apart: a form may have the number of a check-in.
  for (const first of [1, 2]) {
    const ids = answers.filter((_, index) => index >= first && (index - first) % 2 === 0).map((answer) => answer.id);
    expect([ids.length, new Set(ids).size]).toEqual([12, 12]);
  }
  expect(await push(items)).toEqual(answers);
});

test("ten replays of a mixture at the same time do each item once", async () => {
  const tasks = await newTasks(6);
  const items = tasks.flatMap((task_id, index) => [issue(task_id), fill(task_id, `${index}`)]);
  const replies = await Promise.all(Array.from({ length: 10 }, () => push(items)));
  for (const answers of replies) expect(answers.map(codeOf)).toEqual(items.map(() => "done"));
  const { list } = await account.must("/history/tracker/list", {
    trackers: [tracker_id],
    events: ["task_form_submitted"],
    ...{ from: writeLocal(START - DAY_MS, "Europe/Berlin"), to: at(HOUR_MS) },
  });
  const submissions = list.filter(({ extra }: Reply) => tasks.includes(extra.task_id));
  expect(submissions.length).toBeLessThanOrEqual(tasks.length);
});
