import { deliverLater } from "#shared/background/deliver-later.ts";
import type { TasksEnv } from "../../env.ts";
import { nameAreas } from "./name-areas.ts";

const PATHS = ["/task/form/values/update", "/sync/push"];
const nameSoon = deliverLater<TasksEnv>(nameAreas);

/** After calls that may have submitted forms. */
export function nameAreasSoon(env: TasksEnv, { path }: { path: string }) {
  if (PATHS.includes(path)) nameSoon(env);
}
