import type { Schemas } from "../../../clients/typescript/src/index.ts";
import type { LiveStates } from "./live-states.ts";
import { STATUSES, type Status, statusOf } from "./status.ts";

export type Tracker = Schemas["Tracker"];

/** An object on the map, without what changes all the time: its state is in `LiveStates`. */
export type LiveObject = {
  id: number;
  sourceId: number;
  label: string;
  isBlocked: boolean;
  groupId: number;
  tagIds: number[];
  tracker: Tracker;
  /** Everything that the search finds, in lower case. */
  searched: string;
};

export type Branch = { key: string; label: string };
/** Answers the branches of the tree in which an object stands; one with several tags stands in each of theirs. */
export type Grouping = (object: LiveObject) => Branch[];
export type Counts = Record<Status, number>;

type Names = { groups: Map<number, string>; tags: Map<number, string> };

/** The objects in the order of their names, as people count. */
export function toObjects(trackers: Tracker[], { groups, tags }: Names, locale: string): LiveObject[] {
  const { compare } = new Intl.Collator(locale, { numeric: true, sensitivity: "base" });
  return trackers
    .map((tracker) => {
      const tagIds = tracker.tag_bindings.map(({ tag_id }) => tag_id);
      const { device_id, model, phone, blocked, id } = tracker.source;
      const texts = [tracker.label, device_id, model, phone, groups.get(tracker.group_id)];
      const searched = [...texts, ...tagIds.map((tag) => tags.get(tag))].filter(Boolean).join("\n").toLocaleLowerCase();
      return {
        ...{ id: tracker.id, sourceId: id, label: tracker.label, isBlocked: blocked, groupId: tracker.group_id },
        ...{ tagIds, tracker, searched },
      };
    })
    .toSorted((one, other) => compare(one.label, other.label));
}

export function statusIn(states: LiveStates, object: LiveObject): Status {
  return statusOf(object.isBlocked, states.get(object.sourceId));
}

/** The objects that contain all words of the search, in any of their columns or the name of their status. */
export function searchObjects(
  objects: LiveObject[],
  text: string,
  statusName: (object: LiveObject) => string,
): LiveObject[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return objects;
  return objects.filter((object) => {
    const missing = words.filter((word) => !object.searched.includes(word));
    return missing.length === 0 || missing.every((word) => statusName(object).toLocaleLowerCase().includes(word));
  });
}

export function countStatuses(objects: LiveObject[], states: LiveStates): Counts {
  const counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Counts; // all of them
  for (const object of objects) counts[statusIn(states, object)]++;
  return counts;
}

/** A row of the list: a branch of the tree, or an object in it. */
export type TreeRow =
  | { kind: "branch"; key: string; branch: Branch; size: number; isOpen: boolean }
  | { kind: "object"; key: string; object: LiveObject; level: 1 | 2 };

/** The rows of the tree; without a grouping a plain list. Objects of closed branches are left out. */
export function toRows(
  objects: LiveObject[],
  grouping: Grouping | undefined,
  closed: ReadonlySet<string>,
  locale: string,
): TreeRow[] {
  if (!grouping)
    return objects.map((object) => ({ kind: "object", key: `${object.id}`, object, level: 1 }) satisfies TreeRow);
  const branches = new Map<string, { branch: Branch; members: LiveObject[] }>();
  for (const object of objects) {
    for (const branch of grouping(object)) {
      const known = branches.get(branch.key);
      if (known) known.members.push(object);
      else branches.set(branch.key, { branch, members: [object] });
    }
  }
  const { compare } = new Intl.Collator(locale, { numeric: true, sensitivity: "base" });
  const sorted = [...branches.values()].toSorted((one, other) => compare(one.branch.label, other.branch.label));
  return sorted.flatMap(({ branch, members }): TreeRow[] => {
    const isOpen = !closed.has(branch.key);
    const rows = members.map(
      (object) => ({ kind: "object", key: `${branch.key} ${object.id}`, object, level: 2 }) satisfies TreeRow,
    );
    return [{ kind: "branch", key: branch.key, branch, size: members.length, isOpen }, ...(isOpen ? rows : [])];
  });
}
