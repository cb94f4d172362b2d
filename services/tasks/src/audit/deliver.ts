import { openDatabase } from "#shared/database.ts";
import { soon } from "#shared/soon.ts";
import type { TasksEnv } from "../env.ts";
import { deliver } from "./record.ts";

/** Tells the log of what changed. */
export function deliverAudit(env: TasksEnv) {
  return deliver(openDatabase(env), env.AUDIT);
}

export const tellSoon = soon<TasksEnv>(deliverAudit);
