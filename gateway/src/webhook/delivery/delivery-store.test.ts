import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { AuditEntry } from "#shared/caller/audit.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import type { EventRow } from "../../table/event.ts";
import { DeliveryStore } from "./delivery-store.ts";

/** The parts of a Durable Object's storage that the store uses, in memory. */
function newStore() {
  const db = new DatabaseSync(":memory:");
  const values = new Map<string, unknown>();
  const storage = {
    sql: {
      exec(text: string, ...given: (string | number | null)[]) {
        const rows = db.prepare(text).all(...given);
        return { toArray: () => rows.map((row) => ({ ...row })) };
      },
    },
    kv: {
      get: (name: string) => values.get(name),
      put: (name: string, value: unknown) => values.set(name, value),
      delete: (name: string) => values.delete(name),
    },
    transactionSync: <Result>(run: () => Result) => run(),
  };
  const store = new DeliveryStore(storage as unknown as DurableObjectStorage); // all of it that is used
  const countAttempts = () => db.prepare("SELECT count(*) AS count FROM attempt").get()?.count;
  return { store, countAttempts };
}

const EVENT: EventRow = {
  ...{ account_id: 1, user_id: 1, tracker_id: null, private_to: null, sequence: 1, event_id: "e" },
  ...{ type: "vehicle.created", subject: "vehicle:7", data: { id: 7 }, time: 0, stored: 0 },
};
const ALL = { state: null, from: null, to: null, before: null, limit: 100 };

function addAt(store: DeliveryStore, time: number) {
  return store.add(EVENT, () => "{}", time);
}

/** An attempt that fails with the status, and is tried again. */
function fail(store: DeliveryStore, status: number, now: number) {
  const [delivery] = store.search({ ...ALL, limit: 1 });
  if (!delivery) throw new Error("there is no delivery");
  const result = { status, error: `HTTP status ${status}`, answer: `answer ${status}`, durationMs: 5, retryAfterMs: 0 };
  store.finishAttempts([{ delivery, result, due: now + 1, ended: now }]);
}

function entryOf(event_id: string): AuditEntry {
  const actor = { account_id: 1, user_id: 1, host: "", user_agent: "", action_date: 0 };
  return { ...actor, event_id, entry_category: "webhook", entry_id: 1, action: "replay", payload: null };
}

test("DeliveryStore keeps the last twenty attempts of a delivery, the oldest first, also those before a replay", () => {
  const { store } = newStore();
  addAt(store, 0);
  expect(store.search(ALL)[0]?.log).toEqual([]);
  for (let attempt = 1; attempt <= 15; attempt++) fail(store, 500 + attempt, attempt);
  expect(store.replay({ sequences: [1], from: null, to: null, failed: false }, entryOf("a"), 20)).toBe(1);
  for (let attempt = 16; attempt <= 25; attempt++) fail(store, 500 + attempt, attempt);
  const [delivery] = store.search(ALL);
  expect(delivery?.attempts).toBe(10);
  expect(delivery?.log.map(({ time, status }) => [time, status])).toEqual(
    Array.from({ length: 20 }, (_, index) => [index + 6, index + 506]),
  );
  expect(delivery?.log[0]).toEqual({
    time: 6,
    status: 506,
    error: "HTTP status 506",
    duration_ms: 5,
    answer: "answer 506",
  });
});

test("DeliveryStore deletes deliveries of more than 30 days with their attempts, and knows when the next is due", () => {
  const { store, countAttempts } = newStore();
  addAt(store, 0);
  for (const time of [1, 2, 3]) fail(store, 500, time);
  addAt(store, DAY_MS);
  for (const time of [1, 2]) fail(store, 500, DAY_MS + time);
  store.deleteOld(30 * DAY_MS);
  expect([store.search(ALL).length, countAttempts(), store.nextExpiry()]).toEqual([2, 3, 30 * DAY_MS]);
  store.deleteOld(30 * DAY_MS + 1);
  expect([store.search(ALL).length, countAttempts(), store.nextExpiry()]).toEqual([1, 1, 31 * DAY_MS]);
  store.deleteOld(31 * DAY_MS + 1);
  expect([store.search(ALL), countAttempts(), store.nextExpiry()]).toEqual([[], 0, undefined]);
});

test("DeliveryStore stores the audit entry of a replay with it, and none of a replay that names unknown deliveries", () => {
  const { store } = newStore();
  addAt(store, 0);
  const replay = (sequence: number, entry: AuditEntry) =>
    store.replay({ sequences: [sequence], from: null, to: null, failed: false }, entry, 1);
  expect([replay(2, entryOf("unknown")), store.entries.list()]).toEqual([null, []]);
  expect([replay(1, entryOf("known")), store.entries.list()]).toEqual([1, [entryOf("known")]]);
  store.entries.remove(entryOf("known"));
  expect(store.entries.list()).toEqual([]);
});

test("DeliveryStore holds deliveries up behind one of their thing that has to wait, only if they are ordered", () => {
  const { store } = newStore();
  for (const subject of ["van:1", "van:2", "van:1", "van:2", "van:1"]) store.add({ ...EVENT, subject }, () => "{}", 0);
  const due = (ordered: boolean, now: number) => store.listDue(now, ordered, 100).map(({ sequence }) => sequence);
  expect(due(true, 0)).toEqual([1, 2, 3, 4, 5]);
  const third = store.listDue(0, true, 3).find(({ sequence }) => sequence === 3);
  if (!third) throw new Error("there is no third delivery");
  const result = { status: 500, error: "HTTP status 500", answer: "", durationMs: 1, retryAfterMs: 0 };
  store.finishAttempts([{ delivery: third, result, due: 10, ended: 1 }]);
  expect([due(true, 9), due(false, 9), due(true, 10)]).toEqual([
    [1, 2, 4],
    [1, 2, 4, 5],
    [1, 2, 3, 4, 5],
  ]);
});
