import type { Facts } from "../point/facts.ts";

/** What one request of a device left: its points in their raw form, and what it told beside them. */
export type SharedLine = {
  /** The feed's own: milliseconds of the runtime's clock, or more, where a line before had that already. */
  number: number;
  received: number;
  facts: Facts | null;
  points: Uint8Array;
};

export type LineOwner = { account_id: number; tracker_id: number };

export type AppendResult = {
  /** With how many others the line was stored in one go, itself included; 0: it was not, as there is no room. */
  groupSize: number;
  /** What the account's rules and tasks are by then, as its book of rules says; null: it said nothing. */
  stamp: string | null;
};

/**
 * Where feeds put small requests, so that those of many trackers become one row. There is one for each block of trackers.
 * What stands there belongs to the feeds: they read it when they begin to live, and say when they keep it elsewhere.
 */
export interface SharedJournal {
  /** Once it has answered, the line is stored. */
  append(owner: LineOwner, line: SharedLine): Promise<AppendResult>;
  /** In the order of their numbers. */
  linesOf(tracker_id: number): Promise<SharedLine[]>;
  /** Lines that are kept elsewhere, or are not needed any more. */
  removeLines(tracker_id: number, numbers: number[]): Promise<void>;
  /** Nothing of the tracker is left here. */
  erase(tracker_id: number): Promise<void>;
}
