import type { Principal } from "../caller/principal.ts";
import type { ReadRequest } from "../operation/declaration.ts";

/** A call that a user made offline and that a phone sends later. */
export type SyncItem = {
  /** Made by the device: an item that is sent again has the same uuid. */
  uuid: string;
  /** When the user did it, in UTC milliseconds. */
  time: number;
  operation: string;
  params: Record<string, unknown>;
};

/** The answer that the single call would have given. */
export type SyncAnswer = Record<string, unknown> & { success: boolean };

/** The request in which the items came, without its parameters. */
export type SyncRequest = Omit<ReadRequest, "typed" | "textual">;

/** Offline calls to operations of another service. */
export interface SyncedCalls {
  /**
   * Runs the items in order. Items that the user sent within the last 30 days are answered from the stored result.
   * Answers JSON.
   */
  runItems(principal: Principal, request: SyncRequest, items: SyncItem[]): Promise<string>;
}

/** A phone's position in a list that it reads first by id and then by change. */
export type SyncCursor = {
  /** The revision from which changes follow once the list by id is complete. */
  revision: number;
  /** The last id that was read; null when the list by id is complete. */
  after: number | null;
};

/** Places for a phone, as `place/read` answers them. */
export type PlaceChanges = { places: { id: number }[]; removed: number[]; next: SyncCursor; more: boolean };

/** Places for phones. */
export interface SyncedPlaces {
  /**
   * A page of places that changed and that the principal sees; without a cursor, of all. Null when the changes are no
   * longer known or the visible places differ: the phone starts anew.
   */
  changedPlaces(principal: Principal, cursor: SyncCursor | null): Promise<PlaceChanges | null>;
}
