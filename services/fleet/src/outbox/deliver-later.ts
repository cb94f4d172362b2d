import { deliverLater } from "#shared/background/deliver-later.ts";
import type { FleetEnv } from "../env.ts";
import { deliverEvents } from "../history/deliver-events.ts";
import { deliverActivities, deliverGaugeChanges } from "./deliver-activities.ts";
import { deliverAudit } from "./deliver-audit.ts";

/** The audit log hears of changes, the gateway of events, rules of what no point tells. */
export const deliverOutboxesLater = deliverLater<FleetEnv>((env) =>
  Promise.allSettled([deliverAudit(env), deliverEvents(env), deliverActivities(env), deliverGaugeChanges(env)]),
);

/** Somebody is to be notified of them. */
export const deliverEventsLater = deliverLater<FleetEnv>(deliverEvents, 100);
