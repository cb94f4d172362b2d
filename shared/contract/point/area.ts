import type { Principal } from "../../caller/principal.ts";

/** A place or a zone, by id and label. */
export type NamedArea = { id: number; label: string };

/** The places and zones that contain a position. Where many of one kind overlap, only the smallest are listed. */
export type AreasAround = { places: NamedArea[]; zones: NamedArea[] };

/** A position at which something of an account happened. */
export type AccountPosition = { account_id: number; lat: number; lng: number };

/** Ids of the places and zones that a principal sees; null: all of the account's. */
export type VisibleAreas = { places: number[] | null; zones: number[] | null };

/** Geo's answers about the places and zones around positions. */
export interface Surroundings {
  /**
   * The places and zones of its account that contain each position, in the order of the positions. At most 50 positions
   * in one call.
   */
  areasAround(spots: AccountPosition[]): Promise<AreasAround[]>;
  /** The places and zones that the principal sees. */
  visibleAreas(principal: Principal): Promise<VisibleAreas>;
}
