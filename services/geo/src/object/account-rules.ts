import type { Alerts } from "../table/rule/rule.ts";
import type { NearZone, WatchedRule } from "./watched-rule.ts";

/** A rule with what is told when it fires. */
export type CopiedRule = WatchedRule & {
  primary_text: string;
  secondary_text: string;
  alerts: Pick<Alerts, "push_enabled" | "emails" | "emergency">;
  private_to: number | null;
};

/** The rules of a tracker; all copies of one version are alike. */
export type RuleCopy = { version: string; rules: CopiedRule[] };

export type CurrentRules = {
  /** The tracker's rules that are not suspended; null where the copy still is what they are. */
  rules: RuleCopy | null;
  /** The revision of the tracker's tasks, 0 where it never had any; null where nobody could tell yet. */
  workRevision: number | null;
  /** As long as the book says the same, both are what they were; null where nobody could tell yet. */
  stamp: string | null;
};

/** The zones of squares; of zones that the asker has, only that they are there. */
export type ZonesOfSquares = { squares: [square: number, zone_ids: number[]][]; zones: NearZone[] };

/** Where a tracker was last seen, by the clock of its device. */
export type TrackerPosition = { tracker_id: number; time: number; lat: number; lng: number };

/** The rules of an account, and their zones. There is one for each account, named by its id. */
export interface RuleDirectory {
  /** What feeds are to follow. `version` is that of the asker's copy of the rules. */
  currentRules(tracker_id: number, version: string | null): Promise<CurrentRules>;
  /** Changes with the rules of the account, what they name, and the tasks of its trackers; null where nobody could tell yet. */
  stamp(): Promise<string | null>;
  /** Zones that the tracker's rules name, of some of the squares at least; `version` is that of the asker's copy. */
  zonesOf(tracker_id: number, version: string, squares: number[], known: number[]): Promise<ZonesOfSquares>;
  /** Rules or zones have changed: whoever asks from now on gets what they are. */
  refresh(): Promise<void>;
  /** The account's tasks have changed: whoever asks from now on gets the revisions that they have. */
  refreshWork(): Promise<void>;
  /** Sensors have changed: copies of before are no longer what the rules are. */
  forgetGauges(): Promise<void>;
  /** Where trackers of the account were last placed by their receivers, as far as they were, and a few seconds old at the most. */
  positionsOf(tracker_ids: number[]): Promise<TrackerPosition[]>;
}
