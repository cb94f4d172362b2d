import { deleteOldKeys } from "#shared/database/idempotency/queries.ts";
import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import { sweepEntries } from "./audit/sweep.ts";
import { refreshGuards } from "./credential/guard/refresh.ts";
import { endBlockedSessions, sweepExpired } from "./credential/queries.ts";
import type { GatewayEnv } from "./env.ts";
import { deleteOldEvents } from "./event/retention-queries.ts";
import { sweepMails } from "./mail/queries.ts";
import { sendDueMails } from "./mail/send.ts";
import { sweepPushes } from "./push/delivery/queries.ts";
import { sendPushes } from "./push/delivery/send.ts";
import { app } from "./receive/app.ts";
import { deliverTimeZones } from "./user/account-zone/deliver.ts";
import { deliverRemovals } from "./user/removal/deliver.ts";
import { wakeLateSenders } from "./webhook/sweep.ts";

export { AuditLog } from "./audit/log.ts";
export { CredentialGuard } from "./credential/guard/credential-guard.ts";
export { ReaderDirectory } from "./credential/reader/directory.ts";
export { AccountEvents } from "./event/account-events.ts";
export { EventSocket } from "./live/event-socket.ts";
export { SocketCounter } from "./live/socket-counter.ts";
export { SocketHub } from "./live/socket-hub.ts";
export { LoginAttempts } from "./login/attempts/login-attempts.ts";
export { MailQueue } from "./mail/notice/queue.ts";
export { PushQueue } from "./push/delivery/queue.ts";
export { FontFiles } from "./receive/static-file/font-files.ts";
export { AccountTurns } from "./receive/turn/account-turns.ts";
export { TurnService } from "./receive/turn/turn-service.ts";
export { AccountLimits } from "./user/limits/limits.ts";
export { WebhookSender } from "./webhook/delivery/webhook-sender.ts";

export default {
  fetch: app.fetch,

  async scheduled(_event, env) {
    const db = openDatabase(env);
    await sweepExpired(db, nowMs(env));
    await refreshGuards(env, await endBlockedSessions(db));
    await sweepMails(db, nowMs(env));
    await sendDueMails(env);
    await sweepPushes(db, nowMs(env));
    await sendPushes(env);
    await deliverRemovals(env);
    await deliverTimeZones(env);
    await sweepEntries(env);
    await wakeLateSenders(env);
    await deleteOldKeys(db, nowMs(env));
    await deleteOldEvents(db, nowMs(env));
  },
} satisfies ExportedHandler<GatewayEnv>;
