import { expect, test } from "vitest";
import { listZones } from "./list.ts";

const zones = new Map(listZones(Date.UTC(2026, 10, 20)).map((zone) => [zone.zone_id, zone]));

test("the entry of a southern zone has its standard time as the base, and its older names", () => {
  expect(zones.get("Australia/Sydney")).toEqual({
    zone_id: "Australia/Sydney",
    description: "Sydney",
    base_offset: 10,
    dst_offset: 1,
    country_code: "AU",
    alt_ids: ["Australia/ACT", "Australia/Canberra", "Australia/NSW"],
  });
});

test("zone entries have negative and fractional offsets, and 0 as daylight saving where there is none", () => {
  expect(zones.get("America/St_Johns")).toMatchObject({ base_offset: -3.5, dst_offset: 1 });
  expect(zones.get("Asia/Kathmandu")).toMatchObject({ base_offset: 5.75, dst_offset: 0 });
  expect(zones.get("UTC")).toMatchObject({ base_offset: 0, dst_offset: 0 });
});
