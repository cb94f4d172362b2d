import { awaitAll } from "#shared/background/await-all.ts";
import { deliverLater } from "#shared/background/deliver-later.ts";
import type { TasksEnv } from "../env.ts";
import { deliverAudit } from "../outbox/deliver-audit.ts";
import { sealRecords } from "./seal.ts";

/** What a call changed the audit log hears of, and it is recorded. */
export const recordChangesLater = deliverLater<TasksEnv>((env) => awaitAll([deliverAudit(env), sealRecords(env)]));
