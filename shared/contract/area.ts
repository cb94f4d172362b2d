import type { Principal } from "../caller/principal.ts";

/** What has a place on the map and a name. */
export type NamedArea = { id: number; label: string };

/** What holds a position: of each kind the smallest, not all of them where many overlap. */
export type AreasAround = { places: NamedArea[]; zones: NamedArea[] };

/** Where something of the account happened. */
export type AccountPosition = { account_id: number; lat: number; lng: number };

/** Ids of the places and zones that somebody sees; null: all of the account's. */
export type VisibleAreas = { places: number[] | null; zones: number[] | null };

/** For whoever keeps where something happened. */
export interface Surroundings {
  /** Of each spot, in its place, its account's places and zones that hold it. At most 50 spots in one call. */
  areasAround(spots: AccountPosition[]): Promise<AreasAround[]>;
  /** What of the account's the principal sees. */
  visibleAreas(principal: Principal): Promise<VisibleAreas>;
}
