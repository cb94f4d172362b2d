import { expect, test } from "vitest";
import type { EventRow } from "../../table/event.ts";
import { toBody } from "./envelope.ts";

function eventOf(data: Record<string, unknown>): EventRow {
  const subject = "vehicle:7";
  const who = { account_id: 1, user_id: 1, tracker_id: null, private_to: null };
  return { ...who, event_id: "e", sequence: 9, type: "vehicle.created", time: 0, stored: 0, subject, data };
}

const MAX_BYTES = 20_000;
const OVERHEAD = toBody(eventOf({ id: 7, label: "" }), 3).length;

test("toBody sends all data of a body of 20,000 bytes, and of a longer one the id and that the data are left out", () => {
  const longest = toBody(eventOf({ id: 7, label: "x".repeat(MAX_BYTES - OVERHEAD) }), 3);
  expect([Buffer.byteLength(longest), JSON.parse(longest).data.label.length]).toEqual([
    MAX_BYTES,
    MAX_BYTES - OVERHEAD,
  ]);
  const common = { type: "vehicle.created", timestamp: "1970-01-01T00:00:00.000Z", sequence: 3 };
  for (const label of ["x".repeat(MAX_BYTES - OVERHEAD + 1), "ü".repeat((MAX_BYTES - OVERHEAD) / 2 + 1)]) {
    const shortened = JSON.parse(toBody(eventOf({ id: 7, label }), 3));
    expect(shortened).toEqual({ ...common, data: { id: 7, is_shortened: true } });
  }
  const nameless = JSON.parse(toBody(eventOf({ label: "x".repeat(MAX_BYTES) }), 3));
  expect(nameless.data).toEqual({ id: null, is_shortened: true });
});
