import { openDatabase } from "#shared/database/open.ts";
import type { TasksEnv } from "../env.ts";
import { deliver } from "./audit.ts";

/** Delivers the entries of the audit outbox to the audit log. */
export function deliverAudit(env: TasksEnv) {
  return deliver(openDatabase(env), env.AUDIT);
}
