import type { Principal } from "#shared/caller/principal.ts";
import type { Cell, Group, TableDocument } from "#shared/contract/file/table-document.ts";
import type { Position } from "#shared/geometry/position.ts";
import { languageOf } from "#shared/text/language.ts";
import { type Clock, writeLocal } from "#shared/time/clock.ts";
import { JOURNAL_TYPES } from "../../table/people/journal-entry.ts";
import { distanceUnitOf, toUnit } from "../../telemetry/distance-unit.ts";
import type { EntrySearch, NamedEntry } from "./queries.ts";
import { TEXTS } from "./texts.ts";

type Grouping = { group_by: "type" | "date" | null; tracker_id?: number; from?: number; to?: number };

/**
 * Renders journal entries as a table: times in the user's zone, distances in the account's unit, and the distance
 * driven as the total of each group.
 */
export function toJournalDocument(
  entries: NamedEntry[],
  { group_by, tracker_id, from, to }: Grouping & Pick<EntrySearch, "tracker_id">,
  { locale, measurement_system }: Pick<Principal, "locale" | "measurement_system">,
  { zone }: Pick<Clock, "zone">,
): TableDocument {
  const texts = TEXTS[languageOf(locale)];
  const unit = distanceUnitOf(measurement_system);
  const distance = (kilometers: number | null) => kilometers && toUnit(kilometers, unit);
  const rowOf = ({ entry, tracker, driver }: NamedEntry): Cell[] => [
    writeLocal(entry.start_date, zone),
    writeLocal(entry.end_date, zone),
    entry.start_location.address || formatPosition(entry.start_location),
    entry.end_location.address || formatPosition(entry.end_location),
    driver && [driver.last_name, driver.first_name, driver.middle_name].filter(Boolean).join(" "),
    tracker,
    texts.types[entry.type],
    distance(entry.start_odometer),
    distance(entry.end_odometer),
    distance(entry.length),
    entry.comment,
  ];
  const groupOf = (heading: string | null, members: NamedEntry[]): Group => {
    const length = members.reduce((sum, { entry }) => sum + entry.length, 0);
    const total: Cell[] = [texts.total, null, null, null, null, null, null, null, null, distance(length), null];
    return { heading, rows: members.map(rowOf), total };
  };
  return {
    title: texts.title,
    subtitle: [
      tracker_id === undefined ? null : (entries[0]?.tracker ?? null),
      from === undefined || to === undefined ? null : `${writeLocal(from, zone)} – ${writeLocal(to, zone)}`,
    ]
      .filter((part) => part !== null)
      .join(", "),
    columns: [
      { title: texts.start, kind: "short" },
      { title: texts.end, kind: "short" },
      { title: texts.from, kind: "text" },
      { title: texts.to, kind: "text" },
      { title: texts.driver, kind: "text" },
      { title: texts.tracker, kind: "text" },
      { title: texts.type, kind: "short" },
      { title: `${texts.odometer} ${texts.start}, ${unit.name}`, kind: "number" },
      { title: `${texts.odometer} ${texts.end}, ${unit.name}`, kind: "number" },
      { title: `${texts.length}, ${unit.name}`, kind: "number" },
      { title: texts.comment, kind: "text" },
    ],
    groups: groupsOf(entries, group_by, zone).map(([key, members]) =>
      groupOf(isType(key) ? texts.types[key] : key, members),
    ),
  };
}

/** Groups by day in the order of the entries, or by type in the order of `JOURNAL_TYPES`. */
function groupsOf(entries: NamedEntry[], by: Grouping["group_by"], zone: string): [string | null, NamedEntry[]][] {
  if (by === null) return [[null, entries]];
  const keyOf = ({ entry }: NamedEntry) =>
    by === "type" ? entry.type : writeLocal(entry.start_date, zone).slice(0, 10);
  const groups = [...Map.groupBy(entries, keyOf)];
  const rank = (key: string) => TYPES.indexOf(key);
  return groups.toSorted(([one], [other]) => rank(one) - rank(other));
}

function isType(key: string | null): key is (typeof JOURNAL_TYPES)[number] {
  return JOURNAL_TYPES.some((type) => type === key);
}

function formatPosition({ lat, lng }: Position) {
  return `${lat}, ${lng}`;
}

const TYPES: readonly string[] = JOURNAL_TYPES;
