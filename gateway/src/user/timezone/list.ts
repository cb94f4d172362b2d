import { zoneOffsetMs } from "#shared/time/clock.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
// Names, countries and older names of the zones, from the IANA time zone database (public domain).
import zones from "./zones.json" with { type: "json" };

/** Every zone with its offsets in the year of `nowMs`. */
export function listZones(nowMs: number) {
  const year = new Date(nowMs).getUTCFullYear();
  return zones.map(({ zone_id, country_code, alt_ids }) => {
    const [winter, summer] = [zoneOffsetMs(Date.UTC(year, 0, 1), zone_id), zoneOffsetMs(Date.UTC(year, 6, 1), zone_id)];
    const base = Math.min(winter, summer);
    return {
      zone_id,
      description: cityOf(zone_id),
      base_offset: base / HOUR_MS,
      // Half an hour of daylight saving, as on Lord Howe, counts as a whole one: the member is an int.
      dst_offset: Math.ceil((Math.max(winter, summer) - base) / HOUR_MS),
      country_code,
      alt_ids,
    };
  });
}

function cityOf(zone_id: string) {
  return zone_id.slice(zone_id.lastIndexOf("/") + 1).replaceAll("_", " ");
}
