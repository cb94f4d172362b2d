import { awaitAll } from "#shared/background/await-all.ts";
import { sweepAvatars } from "#shared/contract/avatar.ts";
import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { FleetEnv } from "./env.ts";
import { deliverTargets } from "./forwarding/deliver-targets.ts";
import { deliverEvents } from "./history/deliver-events.ts";
import { sweepEvents } from "./history/sweep.ts";
import { sweepImports } from "./import/sweep.ts";
import { avatars } from "./outbox/avatar-queries.ts";
import { deliverActivities, deliverGaugeChanges } from "./outbox/deliver-activities.ts";
import { deliverAudit } from "./outbox/deliver-audit.ts";
import { deliverClones } from "./outbox/deliver-clones.ts";
import { deliverMail } from "./outbox/deliver-mail.ts";
import { deliverRemovedAccounts } from "./outbox/deliver-removed-accounts.ts";
import { deliverRemovedTrackers } from "./outbox/deliver-removed-trackers.ts";
import { sweepSyncItems } from "./sync-items.ts";
import { sweepTagRemovals } from "./tag/removal.ts";
import { deliverDevices } from "./tracker/deliver-devices.ts";
import { sweepRemovedTrackers } from "./tracker/removal/sweep.ts";
import { sweepServiceTasks } from "./vehicle/service-task/sweep.ts";
import { deliverFileRemovals } from "./vehicle/service-task-file/deliver-removals.ts";

/** What is told, moved on and removed each minute. */
export async function sweep(env: FleetEnv) {
  // None waits for what another needs.
  await awaitAll([
    deliverTargets(env),
    sweepTagRemovals(env),
    deliverAudit(env),
    deliverGaugeChanges(env),
    // Whoever hears that an account is to be erased has heard of all that was its.
    awaitAll([deliverDevices(env), deliverClones(env), deliverRemovedTrackers(env)])
      .then(() => deliverRemovedAccounts(env))
      .then(() => sweepRemovedTrackers(env)),
    sweepAvatars(avatars, { db: openDatabase(env), store: env.FILES, now: nowMs(env) }),
    deliverFileRemovals(env),
    sweepSyncItems(env),
    sweepImports(env),
    sweepEvents(env),
    sweepServiceTasks(env)
      .finally(() => deliverMail(env))
      .finally(() => deliverEvents(env))
      .finally(() => deliverActivities(env)),
  ]);
}
