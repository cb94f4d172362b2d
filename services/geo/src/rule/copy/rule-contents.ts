import type { Database } from "#shared/database/open.ts";
import type { Bounds } from "../../point/bounds.ts";
import type { RuleRow } from "../../table/rule/rule.ts";
import { padded } from "../../zone/grid/box.ts";
import { squaresOf } from "../../zone/squares.ts";
import { hashOf } from "./hash.ts";
import { RULES_A_PAGE, type RulePage, selectPage, TRACKERS_A_PAGE, ZONES_A_PAGE } from "./queries.ts";

/** A zone without its points. */
export type IndexedZone = { id: number; revision: number; point_count: number; reach: Bounds; rules: number[] };

/** All rules of an account that are not suspended, what they are bound to, and where their zones are. */
export class BookContents {
  readonly version: string;
  readonly time_zone: string;
  #rules = new Map<number, RuleRow>();
  #ofTrackers = new Map<number, number[]>();
  #ofRules = new Map<number, IndexedZone[]>();
  #shapes = new Map<number, string>();
  #bySquare = new Map<number, IndexedZone[]>();
  /** Those that touch too many squares. */
  #wide: IndexedZone[] = [];

  constructor(version: string, time_zone: string) {
    this.version = version;
    this.time_zone = time_zone;
  }

  add({ rules, trackers, zones }: RulePage) {
    for (const row of rules) this.#rules.set(row.id, row);
    for (const row of trackers) this.#ofTrackers.set(row.tracker_id, JSON.parse(row.rules));
    for (const { id, revision, point_count, radius, ...row } of zones) {
      const zone = { id, revision, point_count, reach: padded(row, radius ?? 0), rules: idsIn(row.rules) };
      for (const rule_id of zone.rules) push(this.#ofRules, rule_id, zone);
      const squares = squaresOf(zone.reach);
      if (squares) for (const square of squares) push(this.#bySquare, square, zone);
      else this.#wide.push(zone);
    }
  }

  rulesOf(tracker_id: number): RuleRow[] {
    return (this.#ofTrackers.get(tracker_id) ?? []).flatMap((id) => this.#rules.get(id) ?? []);
  }

  /** In words that differ where the rule's zones do; empty: it names none. */
  shapesOf(rule_id: number): string {
    const zones = this.#ofRules.get(rule_id) ?? [];
    const known = this.#shapes.get(rule_id) ?? hashOf(JSON.stringify(zones.map(({ id, revision }) => [id, revision])));
    this.#shapes.set(rule_id, known);
    return zones.length === 0 ? "" : known;
  }

  /** All that may touch the square. */
  zonesNear(square: number): IndexedZone[] {
    return [...(this.#bySquare.get(square) ?? []), ...this.#wide];
  }
}

/** Page by page; where something changes meanwhile, the version is that of the first page, and is soon found to be old. */
export async function loadContents(db: Database, account_id: number): Promise<BookContents> {
  const after = { rule: 0, tracker: 0, zone: 0 };
  let contents: BookContents | undefined;
  let goesOn = true;
  while (goesOn) {
    const page = await selectPage(db, account_id, after);
    contents ??= new BookContents(versionOf(page.versions), page.versions[0]?.time_zone ?? "UTC");
    contents.add(page);
    after.rule = page.rules.at(-1)?.id ?? after.rule;
    after.tracker = page.trackers.at(-1)?.tracker_id ?? after.tracker;
    after.zone = page.zones.at(-1)?.id ?? after.zone;
    const { rules, trackers, zones } = page;
    goesOn = rules.length === RULES_A_PAGE || trackers.length === TRACKERS_A_PAGE || zones.length === ZONES_A_PAGE;
  }
  if (!contents) throw new Error("a book has a page at least");
  return contents;
}

export function versionOf([row]: { revision: number }[]) {
  return String(row?.revision ?? 0);
}

function idsIn(text: string): number[] {
  return JSON.parse(text);
}

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value) {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
