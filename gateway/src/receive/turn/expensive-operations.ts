import type { Expensive, ReadRequest } from "#shared/operation/declaration.ts";

/** Whether this call takes a turn of its account. */
export function isExpensive(path: string, { typed, textual }: Pick<ReadRequest, "typed" | "textual">): boolean {
  const expensive = EXPENSIVE_OPERATIONS.get(path);
  if (!expensive || expensive === true) return expensive === true;
  return Boolean(typed[expensive.with] || textual[expensive.with]);
}

/** The operations that declare `expensive`, by path: the gateway does not load the declarations of services. */
export const EXPENSIVE_OPERATIONS: ReadonlyMap<string, Expensive> = new Map<string, Expensive>([
  ["/data/spreadsheet/parse", true],
  ["/driver/journal/entry/download", true],
  ["/driver/journal/proposal/list", true],
  ["/employee/batch_convert", true],
  ["/employee/import/download_failed", true],
  ["/employee/import/start", true],
  ["/form/download", true],
  ["/place/batch_convert", true],
  ["/place/upload", true],
  ["/report/tracker/download", true],
  ["/report/tracker/generate", true],
  ["/report/tracker/retrieve", true],
  ["/sync/pull", true],
  ["/task/batch_convert", true],
  ["/task/form/download", true],
  ["/task/route/points/optimize", true],
  ["/track/download", true],
  ["/track/position/list", true],
  ["/track/read", true],
  ["/track/visit/list", true],
  ["/tracker/counter/data/read", true],
  ["/tracker/rule/try", true],
  ["/tracker/sensor/data/read", true],
  ["/tracker/stats/engine_hours/read", true],
  ["/tracker/stats/mileage/read", true],
  ["/vehicle/batch_convert", true],
  ["/vehicle/import/download_failed", true],
  ["/vehicle/import/start", true],
  ["/vehicle/service_task/download", true],
  ["/zone/batch_convert", true],
  ["/zone/download", true],
  ["/zone/upload", true],
  ["/zone/visit/list", true],
  ["/checkin/list", { with: "format" }],
]);
