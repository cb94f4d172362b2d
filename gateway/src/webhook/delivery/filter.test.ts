import { expect, test } from "vitest";
import { nobody, type Principal } from "#shared/caller/principal.ts";
import type { EventRow } from "../../table/event.ts";
import { maySee, passesFilters } from "./filter.ts";

const READER: Principal = { ...nobody("none"), kind: "subuser", rights: ["reports"], scope: [1, 2] };

test.each([
  ["while it sees all trackers of the report", { trackers: [1, 2] }, {}, true],
  ["not when it does not see one of them", { trackers: [1, 3] }, {}, false],
  ["when it sees all trackers of the account", { trackers: [1, 3] }, { scope: "all" as const }, true],
  ["not without the right to reports", { trackers: [1] }, { rights: [] }, false],
  ["not when the trackers were too many for the body", { is_shortened: true }, {}, false],
])("a delivery of a sub-user's own report goes to the sub-user %s", (_, data, more, isVisible) => {
  const delivery = { type: "report.finished", tracker_id: null, body: JSON.stringify({ data: { id: 5, ...data } }) };
  expect(maySee({ ...READER, ...more }, delivery)).toBe(isVisible);
});

function eventOf(subject: string, data: Record<string, unknown>): EventRow {
  const who = { account_id: 1, user_id: 1, tracker_id: 5, private_to: null };
  return { ...who, event_id: "e", sequence: 1, type: "zone.entered", time: 0, stored: 0, subject, data };
}

test("passesFilters with zone_ids lets events in one of these zones pass, and changes of these zones", () => {
  const passes = (event: EventRow) =>
    passesFilters(event, { tracker_ids: null, taggedTrackers: null, zone_ids: [3, 4] });
  const inZones = (...zone_ids: number[]) => eventOf("history:1", { id: 1, extra: { zone_ids } });
  expect([inZones(3), inZones(9, 4), inZones(9), inZones()].map(passes)).toEqual([true, true, false, false]);
  const changes = [
    eventOf("zone:3", {}),
    eventOf("zone_points:4", {}),
    eventOf("zone:33", {}),
    eventOf("vehicle:3", {}),
  ];
  expect(changes.map(passes)).toEqual([true, true, false, false]);
  const withoutZones = [{ extra: null }, { extra: { zone_ids: null } }, {}].map((data) => eventOf("history:1", data));
  expect(withoutZones.map(passes)).toEqual([false, false, false]);
  const ofOthers = { tracker_ids: [6], taggedTrackers: null, zone_ids: [3] };
  expect(passesFilters(inZones(3), ofOthers)).toBe(false);
});
