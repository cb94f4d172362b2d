import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Parameters, Reply } from "../../../clients/typescript/src/index.ts";
import { noticeFailure } from "../component/notice.ts";
import { addDays, dayOf, startOfDay } from "../format/calendar.ts";
import { call } from "../session/api.ts";
import { serverNow } from "../session/clock.ts";
import { useTexts } from "../text/use-texts.tsx";
import type { NewRule, Rule } from "./rule.ts";

export type TrialEvent = Reply<"/tracker/rule/try">["list"][number];

const RULES_KEY = ["rule", "list"];
/** The days of stored points that a rule is tried on. */
export const TRIAL_DAYS = 30;
/** The most trackers of one trial. */
export const MAX_TRIAL_TRACKERS = 100;
const EVENTS_PER_PAGE = 1_000;
const MAX_PAGES = 3;

export const rulesQuery = queryOptions({
  queryKey: RULES_KEY,
  queryFn: async ({ signal }) => (await call("/tracker/rule/list", {}, { signal })).list,
});

export const ruleTypesQuery = queryOptions({
  queryKey: ["rule", "types"],
  queryFn: async ({ signal }) => (await call("/tracker/rule/type/list", {}, { signal })).list,
  staleTime: Number.POSITIVE_INFINITY,
});

export const zonesQuery = queryOptions({
  queryKey: ["zone", "list", "for rules"],
  queryFn: async ({ signal }) => (await call("/zone/list", {}, { signal })).list,
});

export function sensorsQuery(tracker_id: number) {
  return queryOptions({
    queryKey: ["tracker", "sensor", "list", tracker_id],
    queryFn: async ({ signal }) => (await call("/tracker/sensor/list", { tracker_id }, { signal })).list,
  });
}

/** The work statuses of all lists. */
export const workStatusesQuery = queryOptions({
  queryKey: ["status", "all"],
  queryFn: async ({ signal }) => {
    const { list } = await call("/status/listing/list", undefined, { signal });
    const lists = await Promise.all(list.map(({ id }) => call("/status/list", { listing_id: id }, { signal })));
    return lists.flatMap((one) => one.list);
  },
});

export function useDeleteRule() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (rule_id: number) => call("/tracker/rule/delete", { rule_id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: RULES_KEY }),
  });
}

/** Stores a rule: a new one, or all of one with an id. */
export function useSaveRule(id: number | undefined) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (rule: NewRule): Promise<void> => {
      if (id === undefined) await call("/tracker/rule/create", { rule });
      else await call("/tracker/rule/update", { rule: { ...rule, id } });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: RULES_KEY }),
  });
}

/** Switches a rule on or off; the list shows it at once. */
export function useSwitchRule() {
  const queries = useQueryClient();
  const texts = useTexts();
  return useMutation({
    mutationFn: (rule: { id: number; suspended: boolean }) => call("/tracker/rule/update", { rule }),
    onMutate: ({ id, suspended }) =>
      queries.setQueryData<Rule[]>(RULES_KEY, (list) =>
        list?.map((one) => (one.id === id ? { ...one, suspended } : one)),
      ),
    onError: (thrown) => noticeFailure(thrown, texts),
    onSettled: () => queries.invalidateQueries({ queryKey: RULES_KEY }),
  });
}

export type Trial = { events: TrialEvent[]; isCut: boolean; firstDay: string; lastDay: string; zoneIds: number[] };

/** The events that a rule would have made of the last month. */
export async function tryRule(rule: NewRule, timeZone: string): Promise<Trial> {
  const now = serverNow();
  const lastDay = dayOf(now, timeZone);
  const firstDay = addDays(lastDay, 1 - TRIAL_DAYS);
  const search: Parameters<"/tracker/rule/try"> = {
    ...{ rule, trackers: (rule.trackers ?? []).slice(0, MAX_TRIAL_TRACKERS), limit: EVENTS_PER_PAGE },
    from: new Date(startOfDay(firstDay, timeZone)).toISOString(),
    to: new Date(now).toISOString(),
  };
  const events: TrialEvent[] = [];
  const tried = { events, firstDay, lastDay, zoneIds: rule.zone_ids ?? [] };
  for (let page = 0; page < MAX_PAGES; page++) {
    const { list, limit_exceeded } = await call("/tracker/rule/try", { ...search, offset: page * EVENTS_PER_PAGE });
    events.push(...list);
    if (!limit_exceeded) return { ...tried, isCut: false };
  }
  return { ...tried, isCut: true };
}
