import type { Principal } from "#shared/caller/principal.ts";
import type { Cell, Group, TableDocument } from "#shared/contract/table-document.ts";
import { languageOf } from "#shared/text/language.ts";
import { type Clock, writeLocal } from "#shared/time/clock.ts";
import { distanceUnit, inUnit } from "../../document/numbers.ts";
import { JOURNAL_TYPES } from "../../table/journal-entry.ts";
import type { EntrySearch, NamedEntry } from "./queries.ts";
import { WORDS } from "./words.ts";

type Grouped = { group_by: "type" | "date" | null; tracker_id?: number; from?: number; to?: number };

/**
 * The journal as people keep it: times of the user's zone, distances in the units of the account, and how much was
 * driven, in each group and all in all.
 */
export function journalDocument(
  entries: NamedEntry[],
  { group_by, tracker_id, from, to }: Grouped & Pick<EntrySearch, "tracker_id">,
  { locale, measurement_system }: Pick<Principal, "locale" | "measurement_system">,
  { zone }: Pick<Clock, "zone">,
): TableDocument {
  const words = WORDS[languageOf(locale)];
  const unit = distanceUnit(measurement_system);
  const distance = (kilometers: number | null) => kilometers && inUnit(kilometers, unit);
  const rowOf = ({ entry, tracker, driver }: NamedEntry): Cell[] => [
    writeLocal(entry.start_date, zone),
    writeLocal(entry.end_date, zone),
    entry.start_location.address || pointOf(entry.start_location),
    entry.end_location.address || pointOf(entry.end_location),
    driver && [driver.last_name, driver.first_name, driver.middle_name].filter(Boolean).join(" "),
    tracker,
    words.types[entry.type],
    distance(entry.start_odometer),
    distance(entry.end_odometer),
    distance(entry.length),
    entry.comment,
  ];
  const groupOf = (heading: string | null, members: NamedEntry[]): Group => {
    const length = members.reduce((sum, { entry }) => sum + entry.length, 0);
    const total: Cell[] = [words.total, null, null, null, null, null, null, null, null, distance(length), null];
    return { heading, rows: members.map(rowOf), total };
  };
  return {
    title: words.title,
    subtitle: [
      tracker_id === undefined ? null : (entries[0]?.tracker ?? null),
      from === undefined || to === undefined ? null : `${writeLocal(from, zone)} – ${writeLocal(to, zone)}`,
    ]
      .filter((part) => part !== null)
      .join(", "),
    columns: [
      { title: words.start, kind: "short" },
      { title: words.end, kind: "short" },
      { title: words.from, kind: "text" },
      { title: words.to, kind: "text" },
      { title: words.driver, kind: "text" },
      { title: words.tracker, kind: "text" },
      { title: words.type, kind: "short" },
      { title: `${words.odometer} ${words.start}, ${unit.name}`, kind: "number" },
      { title: `${words.odometer} ${words.end}, ${unit.name}`, kind: "number" },
      { title: `${words.length}, ${unit.name}`, kind: "number" },
      { title: words.comment, kind: "text" },
    ],
    groups: groupsOf(entries, group_by, zone).map(([key, members]) =>
      groupOf(isType(key) ? words.types[key] : key, members),
    ),
  };
}

/** By days in the order in which they come, by types in the order that these have. */
function groupsOf(entries: NamedEntry[], by: Grouped["group_by"], zone: string): [string | null, NamedEntry[]][] {
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

function pointOf({ lat, lng }: { lat: number; lng: number }) {
  return `${lat}, ${lng}`;
}

const TYPES: readonly string[] = JOURNAL_TYPES;
