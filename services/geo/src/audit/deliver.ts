import { openDatabase } from "#shared/database.ts";
import { soon } from "#shared/soon.ts";
import type { GeoEnv } from "../env.ts";
import { deliver } from "./record.ts";

/** Tells the log of what changed. */
export function deliverAudit(env: GeoEnv) {
  return deliver(openDatabase(env), env.AUDIT);
}

export const tellSoon = soon(deliverAudit);
