import { expect, test } from "vitest";
import { DAY_MS } from "#shared/time/duration.ts";
import type { EventRow } from "../table/event.ts";
import { pickRecentEvents } from "./deliver-events.ts";

const NOW = Date.UTC(2026, 6, 9);

test("pickRecentEvents takes only events that were stored within the last day, whenever they happened", () => {
  const row: EventRow = {
    ...{ id: 1, event_id: "a", account_id: 2, tracker_id: 3, time: NOW - 30 * DAY_MS, event: "inzone" },
    ...{ message: "x".repeat(300), emergency: false, rule_id: null, track_id: 0, location: null },
    ...{
      address: "",
      extra: {},
      employee_id: null,
      vehicle_id: null,
      private_to: null,
      undelivered_since: NOW - DAY_MS,
    },
  };
  const stored = NOW - DAY_MS + 1;
  const news = pickRecentEvents([row, { ...row, id: 2, event_id: "b", undelivered_since: stored }], NOW);
  expect(news).toMatchObject([{ event_id: "b", account_id: 2, stored, entry: { id: 2, time: row.time } }]);
  expect(news[0]?.entry.extra).not.toHaveProperty("full_message");
});
