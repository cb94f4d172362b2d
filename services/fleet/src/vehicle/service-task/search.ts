import * as z from "zod";
import { countTexts, searchConditions } from "#shared/database/conditions.ts";
import { sortOptions } from "#shared/database/order.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import { type ListWindow, pageAt } from "#shared/operation/list-answer.ts";
import type { FleetEnv } from "../../env.ts";
import { SERVICE_TASK_STATUSES } from "../../table/vehicle/service-task.ts";
import { MAX_ROWS_PER_PAGE, selectTaskPage } from "./queries.ts";
import { toServiceTask } from "./schema.ts";
import { matchesSearch, orderOf, SORTABLE } from "./search-queries.ts";

/** The parameters of a search for tasks, shared by lists and documents. */
export const SEARCH = {
  only_unplanned: z.boolean().default(false),
  vehicle_ids: z.array(z.int()).max(10_000).nullable().default(null),
  statuses: z.array(z.enum(SERVICE_TASK_STATUSES)).max(SERVICE_TASK_STATUSES.length).nullable().default(null),
  conditions: searchConditions(),
  filter: z.string().max(255).nullable().default(null),
  sort: sortOptions(SORTABLE, Object.keys(SORTABLE).length),
  limit: z.int().min(0).optional(),
  offset: z.int().min(0).default(0),
  return_prediction: z.boolean().default(true),
};
type ServiceTaskSearch = z.output<z.ZodObject<typeof SEARCH>>;

/** The matching tasks in pages, with their number. */
export async function selectTasks(
  { limit, offset, sort, return_prediction, ...search }: ServiceTaskSearch,
  call: Call<FleetEnv>,
) {
  const condition = matchesSearch(search, call.clock);
  const texts = countTexts(search.conditions) + (search.filter ? 1 : 0);
  const order = orderOf(sort);
  const ids = [...new Set(search.vehicle_ids ?? [])];
  const readPage = (window: ListWindow) => selectTaskPage(call, { condition, texts }, { ...window, order }, ids);
  const context = { now: call.clock.now(), withPrediction: return_prediction };
  const { found, count, vehicles } = await readPage({ limit, offset });
  if (vehicles < ids.length) throw new ApiError(201);
  const page = pageAt(
    found,
    { limit, offset },
    {
      size: MAX_ROWS_PER_PAGE,
      read: async (part) => (await readPage(part)).found,
      toItem: ({ task, ...related }) => toServiceTask(task, { ...related, ...context }),
    },
  );
  return { page, count };
}
