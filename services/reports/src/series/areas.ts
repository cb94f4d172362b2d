import type { AreaKinds } from "#shared/contract/report-source.ts";
import type { TrackerData } from "../definition/tracker-data.ts";

type Position = { lat: number; lng: number };
type Addressed = Position & { address: string };

/** An address with the labels of the places and zones before it that it is in. */
export function prefixAreas<Place extends { address: string; areas: string[] }>(place: Place): Place {
  return { ...place, address: addressIn(place.areas, place.address) };
}

/** Records with their addresses of their time, and the places and zones of today. */
export async function addAreasToEvents<Item extends { location: Position | null; address: string }>(
  data: TrackerData,
  items: Item[],
): Promise<Item[]> {
  const areas = await findAreas(data, items);
  return items.map((item, index) => ({ ...item, address: addressIn(areas[index] ?? [], item.address) }));
}

/** The same for those whose address is that of their location. */
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

/** Of each record the labels of what it is in, none for one without a location. */
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
