import type { Alerts } from "../table/rule/rule.ts";
import type { NearZone, WatchedRule } from "./watched-rule.ts";

/** A rule with the texts and recipients of its events. */
export type CopiedRule = WatchedRule & {
  primary_text: string;
  secondary_text: string;
  alerts: Pick<Alerts, "push_enabled" | "emails" | "emergency">;
  private_to: number | null;
};

/** The rules of a tracker. Copies of one version are equal. */
export type RuleCopy = { version: string; rules: CopiedRule[] };

export type CurrentRules = {
  /** The tracker's active rules; null: the caller's copy is current. */
  rules: RuleCopy | null;
  /** The revision of the tracker's tasks; 0: it never had any; null: unknown. */
  workRevision: number | null;
  /** Rules and tasks are unchanged while the directory answers this stamp; null: unknown. */
  stamp: string | null;
};

/** The zones of grid squares; zones that the caller has already are named by id only. */
export type ZonesOfSquares = { squares: [square: number, zone_ids: number[]][]; zones: NearZone[] };

/** A tracker's last position, with the time of its device's clock. */
export type TrackerPosition = { tracker_id: number; time: number; lat: number; lng: number };

/** Durable Object with the rules of one account and their zones, named by the account's id. */
export interface RuleDirectory {
  /** The rules that a tracker's feed evaluates. `version` is that of the feed's copy. */
  currentRules(tracker_id: number, version: string | null): Promise<CurrentRules>;
  /**
   * A value that changes with the account's rules, the zones, sensors and so on that they name, and its trackers'
   * tasks; null: unknown.
   */
  stamp(): Promise<string | null>;
  /** Zones that the tracker's rules name, in some of the squares or more; `version` is that of the feed's copy. */
  zonesOf(tracker_id: number, version: string, squares: number[], known: number[]): Promise<ZonesOfSquares>;
  /** Reports that rules or zones were changed: later calls answer the changed ones. */
  refresh(): Promise<void>;
  /** Reports that tasks were changed: later calls answer their new revisions. */
  refreshWork(): Promise<void>;
  /** Reports that sensors were changed, which makes all copies of rules outdated. */
  invalidateGauges(): Promise<void>;
  /**
   * Last satellite positions of the account's trackers, at most some seconds old; trackers without one are left out.
   */
  positionsOf(tracker_ids: number[]): Promise<TrackerPosition[]>;
}
