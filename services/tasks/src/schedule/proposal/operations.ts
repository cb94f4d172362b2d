import * as z from "zod";
import { invalid } from "#shared/error/api-error.ts";
import { dateTime } from "#shared/operation/fields.ts";
import { listAnswer, type Page, serializePages } from "#shared/operation/list-answer.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { requireSpan } from "#shared/time/span.ts";
import { operation } from "../../operation.ts";
import { LISTED_TYPES, matchFilters, type PlannedSchedule, selectPlanned } from "../queries.ts";
import { createProposals, Proposal } from "./propose.ts";

export const listScheduleProposals = operation("/task/schedule/proposal/list", {
  summary:
    "The tasks and routes that schedules will make in a future range; nothing is stored, and each has the id of its schedule",
  reads: true,
  input: z.object({
    /** Must not be before now. */
    from: dateTime(),
    to: dateTime(),
    trackers: z.array(z.int()).max(10_000).nullable().default(null),
    filter: z.string().max(255).nullable().default(null),
    types: z.array(z.enum(LISTED_TYPES)).max(100).default(["task", "route"]),
  }),
  output: z.object({ list: z.array(Proposal) }),
  errors: [211],
  async run({ from, to, ...filters }, { db, env, principal, clock }) {
    const now = clock.now();
    // Callers give whole seconds.
    if (from < now - SECOND) throw invalid("from", "must not be in the past");
    if (to < from) throw invalid("to", "must not be before from");
    requireSpan({ from, to }, env.MAX_SPANS, "proposals", clock.zone);
    const condition = matchFilters(principal, { ...filters, tag_ids: null });
    const toProposals = ({ items, next }: Page<PlannedSchedule>): Page<Proposal> => ({
      items: items.flatMap((schedule) => createProposals(schedule, { from, to }, now)),
      next: next && (async () => toProposals(await next())),
    });
    const page = toProposals(await selectPlanned(db, principal, { condition, days: Math.ceil((to - from) / DAY_MS) }));
    return listAnswer({}, serializePages(Proposal, page, clock));
  },
});

export const operations = [listScheduleProposals];

const SECOND = 1000;
