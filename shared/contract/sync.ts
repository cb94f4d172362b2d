import type { Principal } from "../caller/principal.ts";
import type { ReadRequest } from "../operation/declaration.ts";

/** What somebody did while nobody could be reached: a call that is made later. */
export type SyncItem = {
  /** Of the device's own making: an item that comes again is the same. */
  uuid: string;
  /** When it was done, in UTC milliseconds. */
  time: number;
  operation: string;
  params: Record<string, unknown>;
};

/** What a single call would have answered. */
export type SyncAnswer = Record<string, unknown> & { success: boolean };

/** The request that the items came with, less its parameters. */
export type SyncRequest = Omit<ReadRequest, "typed" | "textual">;

/** For whoever takes items in that are not its own. */
export interface SyncedCalls {
  /** In their order; what the user's items of 30 days have done already is not done again. The answers are JSON. */
  runItems(principal: Principal, request: SyncRequest, items: SyncItem[]): Promise<string>;
}

/** How far a phone is with things that come by id first, and then by change. */
export type SyncCursor = {
  /** The revision from which on changes are told once everything is. */
  revision: number;
  /** In everything, behind which id; null: everything has been told. */
  after: number | null;
};

/** What a phone is told of places, as `place/read` shows them. */
export type PlaceChanges = { places: { id: number }[]; removed: number[]; next: SyncCursor; more: boolean };

/** Who keeps places. */
export interface SyncedPlaces {
  /**
   * A page of what changed of the places that the principal sees; without a cursor all that there are. Null where what
   * changed since is not known, or the principal sees others than then: it must begin anew.
   */
  changedPlaces(principal: Principal, cursor: SyncCursor | null): Promise<PlaceChanges | null>;
}
