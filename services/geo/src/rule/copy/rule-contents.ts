import type { Database } from "#shared/database/open.ts";
import type { Bounds } from "../../point/bounds.ts";
import type { RuleRow } from "../../table/rule/rule.ts";
import { padBox } from "../../zone/grid/box.ts";
import { squaresOf } from "../../zone/squares.ts";
import { hashOf } from "./hash.ts";
import {
  MAX_RULES_PER_PAGE,
  MAX_TRACKERS_PER_PAGE,
  MAX_ZONES_PER_PAGE,
  type RulePage,
  selectRulePage,
} from "./queries.ts";

/** A zone without its points, and the rules that name it. */
export type IndexedZone = { id: number; revision: number; point_count: number; reach: Bounds; rules: number[] };

/** An account's active rules, the trackers they are bound to, and the boxes of their zones. */
export class RuleContents {
  readonly version: string;
  readonly time_zone: string;
  #rules = new Map<number, RuleRow>();
  #rulesByTracker = new Map<number, number[]>();
  #zonesByRule = new Map<number, IndexedZone[]>();
  #shapeHashes = new Map<number, string>();
  #bySquare = new Map<number, IndexedZone[]>();
  /** Zones that touch too many squares to be listed by square. */
  #wideZones: IndexedZone[] = [];

  constructor(version: string, time_zone: string) {
    this.version = version;
    this.time_zone = time_zone;
  }

  add({ rules, trackers, zones }: RulePage) {
    for (const row of rules) this.#rules.set(row.id, row);
    for (const row of trackers) this.#rulesByTracker.set(row.tracker_id, JSON.parse(row.rules));
    for (const { id, revision, point_count, radius, ...row } of zones) {
      const zone = { id, revision, point_count, reach: padBox(row, radius ?? 0), rules: parseIds(row.rules) };
      for (const rule_id of zone.rules) pushTo(this.#zonesByRule, rule_id, zone);
      const squares = squaresOf(zone.reach);
      if (squares) for (const square of squares) pushTo(this.#bySquare, square, zone);
      else this.#wideZones.push(zone);
    }
  }

  rulesOf(tracker_id: number): RuleRow[] {
    return (this.#rulesByTracker.get(tracker_id) ?? []).flatMap((id) => this.#rules.get(id) ?? []);
  }

  /** A hash that changes with the shapes of the rule's zones; empty: the rule names no zone. */
  shapesHashOf(rule_id: number): string {
    const zones = this.#zonesByRule.get(rule_id) ?? [];
    const known =
      this.#shapeHashes.get(rule_id) ?? hashOf(JSON.stringify(zones.map(({ id, revision }) => [id, revision])));
    this.#shapeHashes.set(rule_id, known);
    return zones.length === 0 ? "" : known;
  }

  /** Zones that may touch the square, perhaps more. */
  zonesNear(square: number): IndexedZone[] {
    return [...(this.#bySquare.get(square) ?? []), ...this.#wideZones];
  }
}

/** Reads all pages. A change in between is noticed later: the version is that of the first page. */
export async function loadContents(db: Database, account_id: number): Promise<RuleContents> {
  const after = { rule: 0, tracker: 0, zone: 0 };
  let contents: RuleContents | undefined;
  let hasMore = true;
  while (hasMore) {
    const page = await selectRulePage(db, account_id, after);
    contents ??= new RuleContents(versionOf(page.versions), page.versions[0]?.time_zone ?? "UTC");
    contents.add(page);
    after.rule = page.rules.at(-1)?.id ?? after.rule;
    after.tracker = page.trackers.at(-1)?.tracker_id ?? after.tracker;
    after.zone = page.zones.at(-1)?.id ?? after.zone;
    const { rules, trackers, zones } = page;
    hasMore =
      rules.length === MAX_RULES_PER_PAGE ||
      trackers.length === MAX_TRACKERS_PER_PAGE ||
      zones.length === MAX_ZONES_PER_PAGE;
  }
  if (!contents) throw new Error("rules have at least one page");
  return contents;
}

export function versionOf([row]: { revision: number }[]) {
  return String(row?.revision ?? 0);
}

function parseIds(text: string): number[] {
  return JSON.parse(text);
}

function pushTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value) {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
