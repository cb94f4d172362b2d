import { expectTypeOf } from "vitest";
import type { Uncrossable } from "../../test/tool/point/crossing.ts";
import type { AuditLog, CredentialGuard, EventSocket, LoginAttempts, MailRoom, PushDesk, SocketDesk } from "./index.ts";

// `npm run check` holds this: nothing is run.
expectTypeOf<Uncrossable<AuditLog>>().toBeNever();
expectTypeOf<Uncrossable<MailRoom>>().toBeNever();
expectTypeOf<Uncrossable<PushDesk>>().toBeNever();
expectTypeOf<Uncrossable<CredentialGuard>>().toBeNever();
expectTypeOf<Uncrossable<LoginAttempts>>().toBeNever();
expectTypeOf<Uncrossable<SocketDesk>>().toBeNever();
expectTypeOf<Uncrossable<EventSocket>>().toBeNever();
