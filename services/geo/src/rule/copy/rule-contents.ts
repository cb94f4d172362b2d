import type { Database } from "#shared/database/open.ts";
import type { Bounds } from "../../point/bounds.ts";
import type { RuleRow } from "../../table/rule/rule.ts";
import { padded } from "../../zone/grid/box.ts";
import { squaresOf } from "../../zone/squares.ts";
import { hashOf } from "./hash.ts";
import { MAX_RULES_PER_PAGE, type RulePage, selectRulePage, MAX_TRACKERS_PER_PAGE, MAX_ZONES_PER_PAGE } from "./queries.ts";

/** A zone without its points. */
export type IndexedZone = { id: number; revision: number; point_count: number; reach: Bounds; rules: number[] };

/** All rules of an account that are not suspended, what they are bound to, and where their zones are. */
export class RuleContents {
  readonly version: string;
  readonly time_zone: string;
  #rules = new Map<number, RuleRow>();
  #rulesByTracker = new Map<number, number[]>();
  #zonesByRule = new Map<number, IndexedZone[]>();
  #shapeHashes = new Map<number, string>();
  #bySquare = new Map<number, IndexedZone[]>();
  /** Those that touch too many squares. */
  #wideZones: IndexedZone[] = [];

  constructor(version: string, time_zone: string) {
    this.version = version;
    this.time_zone = time_zone;
  }

  add({ rules, trackers, zones }: RulePage) {
    for (const row of rules) this.#rules.set(row.id, row);
    for (const row of trackers) this.#rulesByTracker.set(row.tracker_id, JSON.parse(row.rules));
    for (const { id, revision, point_count, radius, ...row } of zones) {
      const zone = { id, revision, point_count, reach: padded(row, radius ?? 0), rules: parseIds(row.rules) };
      for (const rule_id of zone.rules) pushTo(this.#zonesByRule, rule_id, zone);
      const squares = squaresOf(zone.reach);
      if (squares) for (const square of squares) pushTo(this.#bySquare, square, zone);
      else this.#wideZones.push(zone);
    }
  }

  rulesOf(tracker_id: number): RuleRow[] {
    return (this.#rulesByTracker.get(tracker_id) ?? []).flatMap((id) => this.#rules.get(id) ?? []);
  }

  /** In words that differ where the rule's zones do; empty: it names none. */
  shapesHashOf(rule_id: number): string {
    const zones = this.#zonesByRule.get(rule_id) ?? [];
    const known = this.#shapeHashes.get(rule_id) ?? hashOf(JSON.stringify(zones.map(({ id, revision }) => [id, revision])));
    this.#shapeHashes.set(rule_id, known);
    return zones.length === 0 ? "" : known;
  }

  /** All that may touch the square. */
  zonesNear(square: number): IndexedZone[] {
    return [...(this.#bySquare.get(square) ?? []), ...this.#wideZones];
  }
}

/** Page by page; where something changes meanwhile, the version is that of the first page, and is soon found to be old. */
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
    hasMore = rules.length === MAX_RULES_PER_PAGE || trackers.length === MAX_TRACKERS_PER_PAGE || zones.length === MAX_ZONES_PER_PAGE;
  }
  if (!contents) throw new Error("a book has a page at least");
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
