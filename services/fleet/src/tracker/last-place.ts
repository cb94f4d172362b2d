import type { Principal } from "#shared/caller/principal.ts";
import type { Geocoded } from "#shared/contract/geocoder.ts";
import type { VisibleTracker } from "#shared/contract/visible-tracker.ts";
import type { FleetEnv } from "../env.ts";

export type Place = { lat: number; lng: number; address: string };

/** Where the tracker was last seen; null where it never was, or where geo cannot tell now: no change waits for that. */
export async function lastPlace(env: FleetEnv, { feed }: VisibleTracker): Promise<Place | null> {
  const point = await env.GEO.lastGpsPoint(feed.tracker_id).catch(() => null);
  return point && { lat: point.lat, lng: point.lng, address: "" };
}

/** With their addresses, in the caller's language; without where geo cannot tell now: what is stored is shown. */
export async function addressed<Thing extends { location: Place | null }>(
  env: FleetEnv,
  principal: Principal,
  things: Thing[],
): Promise<Thing[]> {
  const bare = things.flatMap(({ location }) => (location?.address === "" ? location : []));
  const parts = Array.from({ length: Math.ceil(bare.length / MOST_POSITIONS) }, (_, part) =>
    addressesOf(env, principal, bare.slice(part * MOST_POSITIONS, (part + 1) * MOST_POSITIONS)),
  );
  const addressOf = new Map((await Promise.all(parts)).flat());
  return things.map((thing) => {
    const address = thing.location && addressOf.get(thing.location);
    return thing.location && address ? { ...thing, location: { ...thing.location, address } } : thing;
  });
}

async function addressesOf(env: FleetEnv, principal: Principal, places: Place[]) {
  const positions = places.map(({ lat, lng }) => ({ lat, lng }));
  const { addresses } = await env.GEO.geocode(principal, { addresses: [], positions }).catch(() => NOTHING);
  return places.map((place, index) => [place, addresses[index]] as const);
}

const NOTHING: Pick<Geocoded, "addresses"> = { addresses: [] };
/** In one question. */
const MOST_POSITIONS = 5000;
