import { soon } from "#shared/background/soon.ts";
import type { FleetEnv } from "../env.ts";
import { tellEvents } from "../history/tell.ts";
import { deliverActivities, deliverGaugeChanges } from "./deliver-activities.ts";
import { deliverAudit } from "./deliver-audit.ts";

/** The audit log hears of changes, the gateway of events, rules of what no point tells. */
export const tellSoon = soon<FleetEnv>((env) =>
  Promise.allSettled([deliverAudit(env), tellEvents(env), deliverActivities(env), deliverGaugeChanges(env)]),
);

/** Somebody is to be notified of them. */
export const tellEventsSoon = soon<FleetEnv>(tellEvents, 100);
