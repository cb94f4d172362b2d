import { soon } from "#shared/soon.ts";
import { deliverAudit } from "../audit/deliver.ts";
import type { FleetEnv } from "../env.ts";
import { tellEvents } from "../history/tell.ts";

/** The audit log hears of changes, the gateway of events. */
export const tellSoon = soon<FleetEnv>((env) => Promise.allSettled([deliverAudit(env), tellEvents(env)]));
