import { soon } from "#shared/background/soon.ts";
import type { FleetEnv } from "../env.ts";
import { tellEvents } from "../history/tell.ts";
import { deliverAudit } from "./deliver-audit.ts";

/** The audit log hears of changes, the gateway of events. */
export const tellSoon = soon<FleetEnv>((env) => Promise.allSettled([deliverAudit(env), tellEvents(env)]));
