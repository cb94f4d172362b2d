import type { Principal } from "#shared/caller/principal.ts";
import type { Geocoded } from "#shared/contract/point/geocoder.ts";
import type { VisibleTracker } from "#shared/contract/tracker/visible-tracker.ts";
import type { FleetEnv } from "../env.ts";

export type LastPosition = { lat: number; lng: number; address: string };

/**
 * The tracker's last known position; null without one, and when geo fails, because a change of driver or status must
 * not wait for geo.
 */
export async function fetchLastPosition(env: FleetEnv, { feed }: VisibleTracker): Promise<LastPosition | null> {
  const point = await env.GEO.lastGpsPoint(feed.tracker_id).catch(() => null);
  return point && { lat: point.lat, lng: point.lng, address: "" };
}

/** Adds missing addresses in the caller's language. When geo fails, the items are answered as they are stored. */
export async function addAddresses<Item extends { location: LastPosition | null }>(
  env: FleetEnv,
  principal: Principal,
  items: Item[],
): Promise<Item[]> {
  const withoutAddress = items.flatMap(({ location }) => (location?.address === "" ? location : []));
  const batches = Array.from({ length: Math.ceil(withoutAddress.length / MAX_POSITIONS_PER_CALL) }, (_, part) =>
    fetchAddresses(
      env,
      principal,
      withoutAddress.slice(part * MAX_POSITIONS_PER_CALL, (part + 1) * MAX_POSITIONS_PER_CALL),
    ),
  );
  const addressOf = new Map((await Promise.all(batches)).flat());
  return items.map((item) => {
    const address = item.location && addressOf.get(item.location);
    return item.location && address ? { ...item, location: { ...item.location, address } } : item;
  });
}

async function fetchAddresses(env: FleetEnv, principal: Principal, locations: LastPosition[]) {
  const positions = locations.map(({ lat, lng }) => ({ lat, lng }));
  const { addresses } = await env.GEO.geocode(principal, { addresses: [], positions }).catch(() => NO_ADDRESSES);
  return locations.map((location, index) => [location, addresses[index]] as const);
}

const NO_ADDRESSES: Pick<Geocoded, "addresses"> = { addresses: [] };
const MAX_POSITIONS_PER_CALL = 5000;
