import type { NearZone, WatchedRule } from "../evaluation/watched-rule.ts";
import type { Alerts } from "../table/rule.ts";

/** A rule with what is told when it fires. */
export type CopiedRule = WatchedRule & {
  primary_text: string;
  secondary_text: string;
  alerts: Pick<Alerts, "push_enabled" | "emails" | "emergency">;
  private_to: number | null;
};

/** The rules of a tracker; all copies of one version are alike. */
export type RuleCopy = { version: string; rules: CopiedRule[] };

/** The zones of squares; of zones that the asker has, only that they are there. */
export type ZonesOfSquares = { squares: [square: number, zone_ids: number[]][]; zones: NearZone[] };

/** The rules of an account, and their zones. There is one for each account, named by its id. */
export interface RuleBook {
  /** The tracker's rules that are not suspended; null where the copy of that version still is what they are. */
  rulesOf(tracker_id: number, version: string | null): Promise<RuleCopy | null>;
  /** Zones that the tracker's rules name, of some of the squares at least; `version` is that of the asker's copy. */
  zonesOf(tracker_id: number, version: string, squares: number[], known: number[]): Promise<ZonesOfSquares>;
  /** Rules or zones have changed: whoever asks from now on gets what they are. */
  refresh(): Promise<void>;
}
