import { allDone } from "#shared/background/all-done.ts";
import { soon } from "#shared/background/soon.ts";
import type { TasksEnv } from "../env.ts";
import { deliverAudit } from "../outbox/deliver-audit.ts";
import { sealRecords } from "./seal.ts";

/** What a call changed the audit log hears of, and it is recorded. */
export const tellSoon = soon<TasksEnv>((env) => allDone([deliverAudit(env), sealRecords(env)]));
