import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import { sweepEntries } from "./audit/sweep.ts";
import { refreshGuards } from "./credential/guard/refresh.ts";
import { endBlocked, sweepEnded } from "./credential/queries.ts";
import type { GatewayEnv } from "./env.ts";
import { sweepMail } from "./mail/queries.ts";
import { sendDue } from "./mail/send.ts";
import { sweepPushes } from "./push/delivery/queries.ts";
import { sendPushes } from "./push/delivery/send.ts";
import { app } from "./receive/app.ts";
import { tellZones } from "./user/account-zone/tell.ts";
import { tellRemovals } from "./user/removal/tell.ts";

export { AuditLog } from "./audit/log.ts";
export { CredentialGuard } from "./credential/guard/credential-guard.ts";
export { Readers } from "./credential/reader/readers.ts";
export { SocketDesk } from "./live/desk.ts";
export { EventSocket } from "./live/event-socket.ts";
export { LoginAttempts } from "./login/attempts/login-attempts.ts";
export { MailRoom } from "./mail/notice/room.ts";
export { PushDesk } from "./push/delivery/desk.ts";
export { AccountLimits } from "./user/limits/limits.ts";

export default {
  fetch: app.fetch,

  async scheduled(_event, env) {
    const db = openDatabase(env);
    await sweepEnded(db, nowMs(env));
    await refreshGuards(env, await endBlocked(db));
    await sweepMail(db, nowMs(env));
    await sendDue(env);
    await sweepPushes(db, nowMs(env));
    await sendPushes(env);
    await tellRemovals(env);
    await tellZones(env);
    await sweepEntries(env);
  },
} satisfies ExportedHandler<GatewayEnv>;
