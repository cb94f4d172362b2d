import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useRef } from "react";
import { listIn } from "../component/table/columns.ts";
import { useSearchParams } from "../component/use-search-params.ts";
import type { LiveStates } from "../live/live-states.ts";
import { type Counts, countStatuses, type LiveObject, searchObjects, statusIn, toObjects } from "../live/objects.ts";
import { STATUSES, type Status } from "../live/status.ts";
import { useNewTrackers, useVersion } from "../live/use-live.ts";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { groupsQuery, trackersQuery } from "../tracker/queries.ts";
import { tagsQuery } from "./queries.ts";

export type Names = { groups: Map<number, string>; tags: Map<number, string> };
export type Fleet = {
  objects: LiveObject[];
  /** The objects that the search and the filter of the address let through. */
  shown: LiveObject[];
  /** The statuses of all objects that the search lets through. */
  counts: Counts;
  names: Names;
  statuses: Status[];
};

/** The trackers of the account with their states, as the address searches and filters them; undefined while they load. */
export function useFleet(states: LiveStates, members: ReadonlySet<number> | undefined) {
  const [search] = useSearchParams();
  const { locale } = useFormat();
  const { map: words } = useTexts();
  const trackers = useQuery(trackersQuery);
  const groups = useQuery(groupsQuery);
  const tags = useQuery(tagsQuery);
  const version = useVersion(states);
  const names = useMemo(
    (): Names => ({
      groups: new Map((groups.data ?? []).map(({ id, title }) => [id, title])),
      tags: new Map((tags.data ?? []).map(({ id, name }) => [id, name])),
    }),
    [groups.data, tags.data],
  );
  const objects = useMemo(
    () => trackers.data && toObjects(trackers.data, names, locale),
    [trackers.data, names, locale],
  );
  const known = useMemo(() => objects && new Set(objects.map(({ sourceId }) => sourceId)), [objects]);
  useNewTrackers(states, known);
  const text = useDeferredValue(search.q ?? "");
  const found = useMemo(() => {
    const among = members ? objects?.filter(({ id }) => members.has(id)) : objects;
    return among && searchObjects(among, text, (object) => words.status[statusIn(states, object)]);
    // The search finds the name of a status, too; without a text nothing depends on it.
  }, [objects, members, text, words, states, text ? version : 0]);
  const statuses = useMemo(() => STATUSES.filter((status) => listIn(search.status).includes(status)), [search.status]);
  const shown = useMemo(
    () => (statuses.length === 0 ? found : found?.filter((one) => statuses.includes(statusIn(states, one)))),
    [found, statuses, states, statuses.length > 0 ? version : 0],
  );
  const counts = useMemo(() => found && countStatuses(found, states), [found, states, version]);
  const stable = useStable(shown);
  const fleet: Fleet | undefined =
    objects && stable && counts ? { objects, shown: stable, counts, names, statuses } : undefined;
  return { fleet, error: trackers.error, retry: () => void trackers.refetch() };
}

/** Keeps the list as it was while its members are the same, so that the map is not drawn anew for nothing. */
function useStable(shown: LiveObject[] | undefined) {
  const last = useRef(shown);
  const isSame =
    shown && last.current?.length === shown.length && shown.every((object, index) => object === last.current?.[index]);
  if (!isSame) last.current = shown;
  return last.current;
}
