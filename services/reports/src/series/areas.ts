import type { AreaKinds } from "#shared/contract/report-source.ts";
import type { Position } from "#shared/geometry/position.ts";
import type { TrackerData } from "../definition/tracker-data.ts";

type Addressed = Position & { address: string };

/** The position with the labels of its areas before the address. */
export function prefixAreas<Place extends { address: string; areas: string[] }>(place: Place): Place {
  return { ...place, address: addressIn(place.areas, place.address) };
}

/** Adds the current areas to the addresses of events, which were stored with the event. */
export async function addAreasToEvents<Item extends { location: Position | null; address: string }>(
  data: TrackerData,
  items: Item[],
): Promise<Item[]> {
  const areas = await findAreas(data, items);
  return items.map((item, index) => ({ ...item, address: addressIn(areas[index] ?? [], item.address) }));
}

/** Adds the current areas to the addresses of records, which are part of their location. */
export async function addAreasToRecords<Item extends { location: Addressed | null }>(
  data: TrackerData,
  items: Item[],
): Promise<Item[]> {
  const areas = await findAreas(data, items);
  return items.map((item, index) => {
    const { location } = item;
    return location
      ? { ...item, location: { ...location, address: addressIn(areas[index] ?? [], location.address) } }
      : item;
  });
}

/** The labels of the areas around each record; empty without a location. */
export async function findAreas(
  data: TrackerData,
  items: { location: Position | null }[],
  kinds?: AreaKinds,
): Promise<string[][]> {
  const located = items.flatMap(({ location }) => (location ? [{ lat: location.lat, lng: location.lng }] : []));
  const found = (await data.areas(located, kinds)).values();
  return items.map(({ location }) => (location && found.next().value) || []);
}

function addressIn(areas: string[], address: string) {
  return areas.length > 0 ? `[${areas.join(", ")}] ${address}`.trim() : address;
}
