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
