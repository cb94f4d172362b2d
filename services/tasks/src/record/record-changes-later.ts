import { awaitAll } from "#shared/background/await-all.ts";
import { deliverLater } from "#shared/background/deliver-later.ts";
import type { TasksEnv } from "../env.ts";
import { deliverAudit } from "../outbox/deliver-audit.ts";
import { sealRecords } from "./seal.ts";

/** Shortly after a call: delivers its audit entries and seals records of what it changed. */
export const recordChangesLater = deliverLater<TasksEnv>((env) => awaitAll([deliverAudit(env), sealRecords(env)]));
