import { deliverLater } from "#shared/background/deliver-later.ts";
import type { TasksEnv } from "../../env.ts";
import { resolveAreas } from "./resolve-areas.ts";

const PATHS = ["/task/form/values/update", "/sync/push"];
const resolveAreasLater = deliverLater<TasksEnv>(resolveAreas);

/** Runs after operations that may have submitted forms. */
export function resolveAreasAfterSubmission(env: TasksEnv, { path }: { path: string }) {
  if (PATHS.includes(path)) resolveAreasLater(env);
}
