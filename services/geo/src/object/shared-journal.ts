import type { Facts } from "../point/facts.ts";

/** One request of a device: its points in raw form and its facts. */
export type SharedLine = {
  /** Chosen by the feed: the runtime's clock in milliseconds, or more if the previous line has that number already. */
  number: number;
  received: number;
  facts: Facts | null;
  points: Uint8Array;
};

export type LineOwner = { account_id: number; tracker_id: number };

export type AppendResult = {
  /** How many lines were stored together, including this one; 0: the journal is full and did not store it. */
  groupSize: number;
  /** The stamp of the account's rules and tasks at that time; null: unknown. */
  stamp: string | null;
};

/**
 * Durable Object in which the feeds of a block of trackers store small requests, many in one row. Feeds read their
 * lines when they start, and remove those that they have stored elsewhere.
 */
export interface SharedJournal {
  /** Stores the line before it answers. */
  append(owner: LineOwner, line: SharedLine): Promise<AppendResult>;
  /** The tracker's lines, by number. */
  linesOf(tracker_id: number): Promise<SharedLine[]>;
  /** Removes lines that are stored elsewhere or no longer needed. */
  removeLines(tracker_id: number, numbers: number[]): Promise<void>;
  /** Deletes all data of the tracker. */
  erase(tracker_id: number): Promise<void>;
}
