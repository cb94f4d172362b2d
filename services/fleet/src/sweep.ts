import { awaitAll } from "#shared/background/await-all.ts";
import { sweepAvatars } from "#shared/contract/file/avatar.ts";
import { deleteOldKeys } from "#shared/database/idempotency/queries.ts";
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
import { removeExpired } from "./vehicle/service-task-file/queries.ts";

/** Runs each minute: delivers outboxes, advances imports and service tasks, deletes old data. */
export async function sweep(env: FleetEnv) {
  // All of them start at once, so that a failing service delays only the deliveries to it.
  await awaitAll([
    deliverTargets(env),
    sweepTagRemovals(env),
    deliverAudit(env),
    deliverGaugeChanges(env),
    // An account is erased elsewhere only after all messages about its devices and trackers are delivered.
    awaitAll([deliverDevices(env), deliverClones(env), deliverRemovedTrackers(env)])
      .then(() => deliverRemovedAccounts(env))
      .then(() => sweepRemovedTrackers(env)),
    sweepAvatars(avatars, { db: openDatabase(env), store: env.FILES, now: nowMs(env) }),
    removeExpired(openDatabase(env), env.FILES, nowMs(env)),
    sweepSyncItems(env),
    deleteOldKeys(openDatabase(env), nowMs(env)),
    sweepImports(env),
    sweepEvents(env),
    sweepServiceTasks(env)
      .finally(() => deliverMail(env))
      .finally(() => deliverEvents(env))
      .finally(() => deliverActivities(env)),
  ]);
}
