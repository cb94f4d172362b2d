import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import {
  SORTABLE as CHECKIN_ORDERS,
  SEARCH_FIELDS as OF_CHECKINS,
} from "../../services/tasks/src/checkin/search-queries.ts";
import { MOMENTS, ORDERS, TEXTS } from "../../services/tasks/src/task/form/list-queries.ts";
import { SEARCH_FIELDS as OF_TASKS, SORTABLE as TASK_ORDERS } from "../../services/tasks/src/task/search-queries.ts";
import type { SearchFields } from "../../shared/database/conditions.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { MINUTE_MS } from "../../shared/time/duration.ts";
import { type Account, feed, newAccount, type Reply } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { chanceOf } from "../tool/chance.ts";
import { effort } from "../tool/effort.ts";
import { waitUntil } from "../tool/wait.ts";

// Every value that lists are sorted by, every condition and every filter, held against what is computed of the whole list.

const START = Math.floor(systemNow() / MINUTE_MS - 300) * MINUTE_MS;
const HERE = { lat: 50, lng: 8, radius: 100 };
const WORDS = ["Ärger", "apfel", "Zebra", "zebra 7", "Öl", "STRASSE", "straße", "12", "Łódź", "naïve"];
const chance = chanceOf(7);
const oneOf = <T>(list: T[]): T => list[Math.floor(chance() * list.length)] as T;
const plain = (text: string) =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss").replaceAll("ı", "i");

type Key = string | number | null;
/** The value of a thing's field; for an entity with its id. */
type ListedEntry = { key: Key; id?: number | null };
type Things = { path: string; all: Reply[]; fields: Record<string, (thing: Reply) => ListedEntry> };

let account: Account;
const trackers: { id: number; label: string; name: string | null; employee_id: number | null }[] = [];
const templates: { id: number; label: string }[] = [];
const tasks: Things = {
  path: "/task/list",
  all: [],
  fields: {
    employee: ({ tracker_id }) => readCrew(tracker_id),
    form: ({ form }) => ({ key: textOf(form?.label), id: form?.template_id ?? null }),
    location: ({ location }) => ({ key: textOf(location.address) }),
  },
};
const checkins: Things = {
  path: "/checkin/list",
  all: [],
  fields: {
    employee: (one) => ({ key: one.employee_id ? readCrew(one.tracker_id).key : null, id: one.employee_id ?? null }),
    employee_fullname: (one) => ({ key: one.employee_id ? readCrew(one.tracker_id).key : null }),
    form: ({ form_label }) => ({
      key: textOf(form_label),
      id: templates.find(({ label }) => label === form_label)?.id ?? null,
    }),
    form_label: ({ form_label }) => ({ key: textOf(form_label) }),
    location: ({ location }) => ({ key: textOf(location.address) }),
    address: ({ location }) => ({ key: textOf(location.address) }),
  },
};
const shown = (things: Things, thing: Reply, field: string): ListedEntry =>
  things.fields[field]?.(thing) ?? { key: textOf(thing[field]) };
const textOf = (value: Key | undefined): Key => (typeof value === "string" ? plain(value) : (value ?? null));
const listed = async (things: Things, search: object): Promise<{ list: Reply[]; count: number }> => {
  const { list, count } = await account.must(things.path, search);
  return { list, count };
};
const idsOf = (list: Reply[]) => list.map(({ id }) => id);

beforeAll(async () => {
  account = await newAccount({ time_zone: "UTC" });
  for (const [index, name] of [null, "Änne", "zoë"].entries()) {
    const { id, label, source } = await account.newTracker({ label: `Van ${3 - index}` });
    const employee = { first_name: name ?? "", last_name: "Öst", tracker_id: id };
    const employee_id = name && (await account.must("/employee/create", { employee })).id;
    if (index > 0) await account.must("/vehicle/create", { vehicle: { label: oneOf(WORDS), tracker_id: id } });
    trackers.push({ id, label, employee_id, name: name && plain(`Öst ${name}`) });
    if (index === 2) await feedLater(source.device_id);
  }
  for (const label of ["Übergabe", "Note 12"]) {
    const field = { id: "name", label: "Name", description: "Who", required: false, type: "text" };
    const fields = [{ ...field, min_length: 0, max_length: 20 }];
    const template = { label, description: oneOf(WORDS), submit_in_zone: false, default: false, fields };
    templates.push({ id: (await account.must("/form/template/create", { template })).id, label });
  }
  await makeTasks();
  await makeCheckins();
  await visits?.();
  tasks.all = (await listed(tasks, { limit: 1000 })).list;
  checkins.all = (await listed(checkins, { limit: 1000 })).list;
});

let visits: (() => Promise<void>) | undefined;
async function feedLater(device_id: string) {
  visits = async () => {
    const points = [0, 5, 20, 21].map((minute) => ({
      ...{ time: START + minute * MINUTE_MS, lat: 50 },
      lng: minute % 20 === 0 && minute < 20 ? 7 : minute === 21 ? 7 : 8,
    }));
    await feed(device_id, points);
    const stillAssigned = async () => {
      const { list } = await listed(tasks, { statuses: ["assigned"], trackers: [trackers[2]?.id], limit: 100 });
      return list.filter(({ from }) => from < atMinute(20));
    };
    await waitUntil("the tracker has reached all its tasks", stillAssigned, ({ length }) => length === 0);
  };
}

async function makeTasks() {
  for (let number = 0; number < 40; number++) {
    const minute = Math.floor(chance() * 15);
    // The first four tasks are certain to be completed.
    const isCertain = number < 4;
    const task = {
      label: oneOf(WORDS),
      description: `${oneOf(WORDS)} ${oneOf(WORDS)}`,
      location: { ...HERE, address: oneOf(WORDS) },
      tracker_id: isCertain ? trackers[2]?.id : oneOf([null, ...trackers.map(({ id }) => id)]),
      external_id: chance() < 0.5 ? oneOf(WORDS) : null,
      from: atMinute(minute),
      to: atMinute(600 + Math.floor(chance() * 60)),
      min_stay_duration: isCertain ? 0 : oneOf([0, 5, 40]),
      form_template_id: oneOf(templates).id,
    };
    const create_form = isCertain || chance() < 0.6;
    const { id: task_id } = await account.must("/task/create", { task, create_form });
    if (!create_form || (!isCertain && chance() < 0.4)) continue;
    const location = { lat: 50, lng: 8, address: oneOf(WORDS) };
    await account.must("/task/form/values/update", { task_id, values: {}, ...(chance() < 0.7 && { location }) });
  }
}

async function makeCheckins() {
  const items: object[] = [];
  for (let number = 0; number < 30; number++) {
    const { id: tracker_id } = oneOf(trackers);
    const asked = { tracker_id, template_id: oneOf(templates).id };
    const form_id = chance() < 0.5 ? (await account.must("/checkin/form/create", asked)).id : null;
    const params = {
      tracker_id,
      location: { lat: 50, lng: 8, address: oneOf(WORDS) },
      comment: chance() < 0.7 ? oneOf(WORDS) : null,
      form_submission: form_id && { form_id, values: {} },
    };
    const time = atMinute(Math.floor(chance() * 250));
    items.push({ uuid: randomUUID(), time, operation: "checkin/create", params });
  }
  const { results } = await account.must("/sync/push", { items });
  expect(results.filter(({ answer }: Reply) => !answer.success)).toEqual([]);
}

describe.each([[tasks, TASK_ORDERS] as const, [checkins, CHECKIN_ORDERS] as const])(
  "sorting of list %#",
  (things, orders) => {
    test.each(Object.keys(orders).flatMap((name) => [`${name}=asc`, `${name}=desc`]))(
      "a list sorted by %s is in that order, whole and page by page",
      async (option) => {
        const [name = "", direction = ""] = option.split("=");
        const { list, count } = await listed(things, { sort: [option], limit: 1000 });
        expect(count).toBe(things.all.length);
        expect(list.toSorted((one, other) => one.id - other.id)).toEqual(things.all);
        expectOrder(list, direction === "asc", (one) => shown(things, one, name).key, isMoment(list, name));
        const part = await listed(things, { sort: [option], offset: 5, limit: 7 });
        expect([idsOf(part.list), part.count]).toEqual([idsOf(list.slice(5, 12)), count]);
        expect((await listed(things, { sort: [option], offset: 1000 })).list).toEqual([]);
      },
    );
  },
);

describe.each([[tasks, OF_TASKS] as const, [checkins, OF_CHECKINS] as const])(
  "searches of list %#",
  (things, fields) => {
    test.each(Object.keys(fields))(
      "conditions on %s find the things that meet them, whole and page by page",
      async (field) => {
        for (const [condition, isFound] of someOf(conditionsOn(things, fields, field))) {
          const expected = things.all.filter((one) => isFound(shown(things, one, field)));
          const said = JSON.stringify(condition);
          const whole = await listed(things, { conditions: [condition], limit: 1000 });
          expect([idsOf(whole.list), whole.count], said).toEqual([idsOf(expected), expected.length]);
          const part = await listed(things, { conditions: [condition], offset: 2, limit: 3 });
          expect([idsOf(part.list), part.count], said).toEqual([idsOf(expected.slice(2, 5)), expected.length]);
          const others = await listed(things, { conditions: [{ type: "not", condition }], limit: 1000 });
          expect(others.count, said).toBe(things.all.length - expected.length);
        }
      },
    );

    test("conditions on two fields find things that meet both, and under `or` either of them", async () => {
      const names = Object.keys(fields);
      for (let number = 0; number < effort({ few: 10, many: 100 }); number++) {
        const [one, other] = [oneOf(names), oneOf(names)];
        const [[left, isLeft], [right, isRight]] = [
          oneOf(conditionsOn(things, fields, one)),
          oneOf(conditionsOn(things, fields, other)),
        ];
        const found = (isFound: (both: [boolean, boolean]) => boolean) =>
          idsOf(
            things.all.filter((thing) =>
              isFound([isLeft(shown(things, thing, one)), isRight(shown(things, thing, other))]),
            ),
          );
        const ids = async (conditions: object[]) => idsOf((await listed(things, { conditions, limit: 1000 })).list);
        expect(await ids([left, right])).toEqual(found(([is, isToo]) => is && isToo));
        expect(await ids([{ type: "and", conditions: [left, right] }])).toEqual(found(([is, isToo]) => is && isToo));
        expect(await ids([{ type: "or", conditions: [left, right] }])).toEqual(found(([is, isToo]) => is || isToo));
      }
    });
  },
);

describe("forms of tasks", () => {
  const ORDERED: Record<keyof typeof ORDERS, (one: Reply) => Key> = {
    task_id: ({ task }) => task.id,
    created: ({ form }) => form.created,
    submitted: ({ form }) => form.submitted,
    task_address: ({ task }) => textOf(task.address),
    submit_address: ({ form }) => (form.submit_location ? textOf(form.submit_location.address) : null),
    employee_full_name: ({ tracker }) => trackers.find(({ id }) => id === tracker?.id)?.name ?? null,
    vehicle_label: ({ vehicle }) => textOf(vehicle?.label),
    tracker_label: ({ tracker }) => textOf(tracker?.label),
    task_label: ({ task }) => textOf(task.label),
    task_creation_date: ({ task }) => task.creation_date,
    task_from: ({ task }) => task.from,
    task_to: ({ task }) => task.to,
    task_arrival_date: ({ task }) => task.arrival_date,
    task_completion_date: ({ task }) => task.completion_date,
    form_label: ({ form }) => textOf(form.label),
    form_description: ({ form }) => textOf(form.description),
  };
  const search = async (given: object) => {
    const asked = { task_ids: idsOf(tasks.all), ascending: true, include_unsubmitted: true, ...given };
    return account.must("/task/form/list", asked);
  };
  const formIds = (list: Reply[]) => list.map(({ form }) => form.id);

  test.each(Object.keys(ORDERS) as (keyof typeof ORDERS)[])(
    "task/form/list sorts by %s in both directions",
    async (order_by) => {
      for (const ascending of [true, false]) {
        const { list, count } = await search({ order_by, ascending });
        expect(list).toHaveLength(tasks.all.filter(({ form }) => form).length);
        expect(count).toBe(list.length);
        const keyed = list.map((one: Reply) => ({ id: one.form.id, key: ORDERED[order_by](one) }));
        expectOrder(keyed, ascending, ({ key }) => key, /created|submitted|date|from|_to$/.test(order_by));
        const part = await search({ order_by, ascending, offset: 3, limit: 4 });
        expect([formIds(part.list), part.count]).toEqual([formIds(list.slice(3, 7)), count]);
      }
    },
  );

  test.each([...Object.keys(TEXTS), "task_id"] as (keyof typeof ORDERS)[])(
    "task/form/list filters by %s",
    async (name) => {
      const { list } = await search({ order_by: "task_id" });
      for (const text of someOf([...WORDS, "a", "ST", "van 2", "note", String(list[0].task.id), "1"])) {
        const isFound = (key: Key) =>
          name === "task_id" ? String(key) === text : key !== null && String(key).includes(plain(text));
        const expected = list.filter((one: Reply) => isFound(ORDERED[name](one)));
        const found = await search({ order_by: "task_id", filters: { [name]: text } });
        expect([formIds(found.list), found.count], text).toEqual([formIds(expected), expected.length]);
      }
    },
  );

  test.each(Object.keys(MOMENTS) as (keyof typeof MOMENTS)[])(
    "task/form/list finds forms within a %s",
    async (name) => {
      const keys = { submit_period: "submitted" } as Partial<Record<typeof name, keyof typeof ORDERS>>;
      const order =
        keys[name] ?? (Object.keys(ORDERS) as (keyof typeof ORDERS)[]).find((one) => MOMENTS[name] === ORDERS[one]);
      const { list } = await search({ order_by: "task_id" });
      const moments: string[] = list.map((one: Reply) => ORDERED[order ?? "created"](one)).filter(Boolean);
      for (const [from, to] of [
        [moments[0], moments[0]],
        [moments.toSorted()[2], moments.toSorted().at(-3)],
        [atMinute(-9000), atMinute(-8000)],
      ]) {
        const expected = list.filter((one: Reply) => {
          const key = ORDERED[order ?? "created"](one);
          return key !== null && from !== undefined && to !== undefined && key >= from && key <= to;
        });
        const found = await search({ order_by: "task_id", [name]: { from, to } });
        expect([formIds(found.list), found.count]).toEqual([formIds(expected), expected.length]);
      }
    },
  );

  test("task/form/list lists submitted forms of one template alone", async () => {
    const { list } = await search({ order_by: "task_id" });
    for (const { id: template_id } of templates) {
      const expected = list.filter(({ form }: Reply) => form.template_id === template_id && form.submitted);
      const found = await search({ order_by: "task_id", template_id, include_unsubmitted: false });
      expect([formIds(found.list), found.count]).toEqual([formIds(expected), expected.length]);
    }
  });
});

/** Every third item and the last one, which is of another kind than those before it; in a campaign all items. */
function someOf<Item>(items: Item[]): Item[] {
  const step = effort({ few: 3, many: 1 });
  return items.filter((_, index) => index % step === 0 || index === items.length - 1);
}

/** Conditions of every type that the field takes, each with what it finds. */
function conditionsOn(
  things: Things,
  fields: SearchFields,
  field: string,
): [object, (shown: ListedEntry) => boolean][] {
  const values = things.all.map((one) => shown(things, one, field)).filter(({ key }) => key !== null);
  const keys = values.map(({ key }) => key as string | number);
  const kind = fields[field]?.kind;
  if (kind === "moment") {
    const sorted = keys.map(String).toSorted();
    const ranges = [
      [sorted[0], sorted[0]],
      [sorted[1], sorted.at(-2)],
      [atMinute(-9000), atMinute(-8000)],
    ];
    return ranges.map(([from = "", to = ""]) => [
      { type: "period", field, value: { from, to } },
      ({ key }) => key !== null && key >= from && key <= to,
    ]);
  }
  const texts = [...WORDS, "a", "2", "van", "st", String(keys[0])];
  const numbers = [12, 0, ...values.slice(0, 3).map(({ key, id }) => id ?? Number(key))].filter(Number.isFinite);
  const says = (text: string) => (one: ListedEntry) => one.key !== null && plain(String(one.key)).includes(plain(text));
  const is = (number: number) => (one: ListedEntry) =>
    kind === "entity" ? one.id === number : String(one.key) === `${number}`;
  return [
    ...texts.map((value): [object, (one: ListedEntry) => boolean] => [{ type: "contains", field, value }, says(value)]),
    ...numbers.map((value): [object, (one: ListedEntry) => boolean] => [{ type: "eq", field, value }, is(value)]),
    [
      { type: "in", field, value: [numbers[0], numbers.at(-1), "zebra", "öl"] },
      (one) => is(numbers[0] ?? 0)(one) || is(numbers.at(-1) ?? 0)(one) || says("zebra")(one) || says("öl")(one),
    ],
  ];
}

/** Expects the order of the key, with null last in both directions. Items with one key follow by id, unless it is a time. */
function expectOrder(list: Reply[], ascending: boolean, keyOf: (one: Reply) => Key, isMoment: boolean) {
  for (const [index, one] of list.slice(1).entries()) {
    const [before, key] = [keyOf(list[index] as Reply), keyOf(one)];
    if (before === null) expect(key).toBeNull();
    if (key === null || before === null) continue;
    if (key === before) {
      if (!isMoment) expect(one.id).toBeGreaterThan(list[index]?.id);
    } else expect(ascending ? before < key : before > key, `${before}, then ${key}`).toBe(true);
  }
  const nothing = list.filter((one) => keyOf(one) === null);
  expect(idsOf(nothing)).toEqual(idsOf(nothing).toSorted((one, other) => one - other));
}

function isMoment(list: Reply[], name: string) {
  return list.some((one) => /^\d{4}-\d\d-\d\d \d\d:/.test(String(one[name])));
}

/** Whom tasks of the tracker are sorted by: without an employee, its label. */
function readCrew(tracker_id: number | null): ListedEntry {
  const tracker = trackers.find(({ id }) => id === tracker_id);
  return { key: tracker ? (tracker.name ?? plain(tracker.label)) : null, id: tracker?.employee_id ?? null };
}

function atMinute(minute: number) {
  return writeUtc(START + minute * MINUTE_MS);
}
