import { expectTypeOf } from "vitest";
import type { Uncrossable } from "../../test/crossing.ts";
import type { AuditLog, CredentialGuard, LoginAttempts, MailRoom, PushDesk } from "./index.ts";

// `npm run check` holds this: nothing is run.
expectTypeOf<Uncrossable<AuditLog>>().toBeNever();
expectTypeOf<Uncrossable<MailRoom>>().toBeNever();
expectTypeOf<Uncrossable<PushDesk>>().toBeNever();
expectTypeOf<Uncrossable<CredentialGuard>>().toBeNever();
expectTypeOf<Uncrossable<LoginAttempts>>().toBeNever();
