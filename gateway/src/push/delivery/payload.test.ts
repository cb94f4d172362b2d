import { expect, test } from "vitest";
import type { HistoryEntry } from "#shared/contract/event/event.ts";
import { payloadOf } from "./payload.ts";

const ENTRY: HistoryEntry = {
  ...{ id: 9001, type: "tracker", is_read: false, message: "Arrived", time: Date.UTC(2026, 6, 9, 5, 50, 58) },
  ...{ event: "inzone", tracker_id: 5, rule_id: 33, track_id: 0, location: null, address: "Main St 1" },
  extra: { tracker_label: "Van 7", emergency: true, task_id: 4, zone_ids: [5], zone_labels: ["Depot"] },
};
const bytesOf = (payload: string) => Buffer.byteLength(payload);
const write = (entry: HistoryEntry) => payloadOf("history_rule", entry, "Europe/Berlin");

test("a notification has the whole history entry, with its time in the user's zone", () => {
  const event = { ...ENTRY, time: "2026-07-09 07:50:58" };
  expect(JSON.parse(write(ENTRY))).toEqual({ category: "history_rule", event });
});

test("a notification that is too long drops the entry's lists first, then its other additions", () => {
  const labels = Array.from({ length: 200 }, () => "é".repeat(20));
  const long = { ...ENTRY, extra: { ...ENTRY.extra, zone_labels: labels } };
  const { zone_ids, zone_labels, ...extra } = ENTRY.extra;
  expect(JSON.parse(write(long)).event).toMatchObject({ address: "Main St 1", extra });
  expect(JSON.parse(write(long)).event.extra).toEqual(extra);
  const longest = { ...long, address: "é".repeat(2000), message: "\u{1f69a}".repeat(256) };
  const { event } = JSON.parse(write(longest));
  expect(event).toMatchObject({ message: longest.message, address: "" });
  expect(event.extra).toEqual({ tracker_label: "Van 7", emergency: true });
  expect(bytesOf(write(longest))).toBeLessThan(3000);
});
