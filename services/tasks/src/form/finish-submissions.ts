import { awaitAll } from "#shared/background/await-all.ts";
import { deliverLater } from "#shared/background/deliver-later.ts";
import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { TasksEnv } from "../env.ts";
import { removeExpired } from "../file/queries.ts";
import { deliverEvents } from "../outbox/deliver-events.ts";

/** Operations that store submissions: check-ins, or forms. Those that complete or fail a task or route without one. */
const PATHS = [
  ...["/checkin/create", "/task/form/values/update", "/sync/push"],
  ...["/task/form/delete", "/task/checkpoint/delete"],
];
const MAX_DELAY_MS = 100;
const finishLater = deliverLater<TasksEnv>(
  (env) => awaitAll([deliverEvents(env), removeExpired(openDatabase(env), env.FILES, nowMs(env))]),
  MAX_DELAY_MS,
);

/** Shortly after such an operation: delivers its events to history, and removes the files that a form does not use. */
export function finishSubmissions(env: TasksEnv, { path }: { path: string }) {
  if (PATHS.includes(path)) finishLater(env);
}
