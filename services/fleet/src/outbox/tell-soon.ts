import { deliverLater } from "#shared/background/deliver-later.ts";
import type { FleetEnv } from "../env.ts";
import { tellEvents } from "../history/tell.ts";
import { deliverActivities, deliverGaugeChanges } from "./deliver-activities.ts";
import { deliverAudit } from "./deliver-audit.ts";

/** The audit log hears of changes, the gateway of events, rules of what no point tells. */
export const tellSoon = deliverLater<FleetEnv>((env) =>
  Promise.allSettled([deliverAudit(env), tellEvents(env), deliverActivities(env), deliverGaugeChanges(env)]),
);

/** Somebody is to be notified of them. */
export const tellEventsSoon = deliverLater<FleetEnv>(tellEvents, 100);
