import { deliverLater } from "#shared/background/deliver-later.ts";
import type { FleetEnv } from "../env.ts";
import { deliverEvents } from "../history/deliver-events.ts";
import { deliverActivities, deliverGaugeChanges } from "./deliver-activities.ts";
import { deliverAudit } from "./deliver-audit.ts";

/** Delivers audit records, events, activities and sensor changes behind the answer. */
export const deliverOutboxesLater = deliverLater<FleetEnv>((env) =>
  Promise.allSettled([deliverAudit(env), deliverEvents(env), deliverActivities(env), deliverGaugeChanges(env)]),
);

/** Delivers events behind the answer, after 100 ms at most: users wait for their notifications. */
export const deliverEventsLater = deliverLater<FleetEnv>(deliverEvents, 100);
