import { openDatabase } from "#shared/database/open.ts";
import type { TasksEnv } from "../env.ts";
import { deliver } from "./audit.ts";

/** Tells the log of what changed. */
export function deliverAudit(env: TasksEnv) {
  return deliver(openDatabase(env), env.AUDIT);
}
