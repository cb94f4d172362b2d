import { expectTypeOf } from "vitest";
import type { Uncrossable } from "#test/tool/point/crossing.ts";
import type {
  AccountEvents,
  AccountTurns,
  AuditLog,
  CredentialGuard,
  EventSocket,
  FontFiles,
  LoginAttempts,
  MailQueue,
  PushQueue,
  SocketCounter,
  SocketHub,
  TurnService,
  WebhookSender,
} from "./index.ts";

// `npm run check` holds this: nothing is run.
expectTypeOf<Uncrossable<AuditLog>>().toBeNever();
expectTypeOf<Uncrossable<MailQueue>>().toBeNever();
expectTypeOf<Uncrossable<PushQueue>>().toBeNever();
expectTypeOf<Uncrossable<CredentialGuard>>().toBeNever();
expectTypeOf<Uncrossable<LoginAttempts>>().toBeNever();
expectTypeOf<Uncrossable<SocketCounter>>().toBeNever();
expectTypeOf<Uncrossable<SocketHub>>().toBeNever();
expectTypeOf<Uncrossable<EventSocket>>().toBeNever();
expectTypeOf<Uncrossable<FontFiles>>().toBeNever();
expectTypeOf<Uncrossable<AccountEvents>>().toBeNever();
expectTypeOf<Uncrossable<AccountTurns>>().toBeNever();
expectTypeOf<Uncrossable<WebhookSender>>().toBeNever();
expectTypeOf<Uncrossable<TurnService>>().toBeNever();
