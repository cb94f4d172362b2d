import { NewTariff, Tariff } from "#shared/contract/tracker/tariff.ts";
import { ConnectedTracker } from "#shared/contract/tracker/tracker.ts";
import { describeOperations, type NamedSchemas, type Topic } from "#shared/operation/open-api.ts";
import { Entry } from "./audit/schema.ts";
import { ApiKey } from "./credential/api-key/operations.ts";
import { Session } from "./credential/session/operations.ts";
import { Platform } from "./dealer/platform.ts";
import { DealerSettings } from "./dealer/settings.ts";
import { SubDealer } from "./dealer/sub-dealer/schema.ts";
import { FeedEvent } from "./event/feed/schema.ts";
import { operations } from "./operations.ts";
import { Mail } from "./panel/mail.ts";
import { ActivationCode } from "./panel/stock.ts";
import { PanelUser } from "./panel/users.ts";
import { NewSecurityGroup, SecurityGroup, SecurityGroupChanges } from "./sub-user/group/schema.ts";
import { NewSubUser, SubUser, SubUserChanges } from "./sub-user/schema.ts";
import { NewUser, UserChanges } from "./user/master/schema.ts";
import { Master, UserDetails } from "./user/schema.ts";
import { Settings } from "./user/settings/schema.ts";
import { TimeZone } from "./user/timezone/operations.ts";
import { WebhookAttempt, WebhookDelivery } from "./webhook/delivery/operations.ts";
import { ChangedWebhook, NewWebhook, Webhook } from "./webhook/schema.ts";

const TOPICS: Topic[] = [
  {
    name: "Sessions",
    description: "Logging in, prolonging and ending a session, activation and passwords.",
    paths: [
      "/user/auth",
      "/user/logout",
      "/user/session",
      "/user/activate",
      "/user/resend_activation",
      "/user/restore_password",
      "/user/password",
      "/activate",
    ],
  },
  { name: "API keys", description: "Hashes for programs, which do not expire.", paths: ["/api/key"] },
  {
    name: "Account",
    description: "User info, the user's settings, and the audit log.",
    paths: ["/user", "/timezone", "/dealer"],
  },
  {
    name: "Notifications",
    description: "Push tokens of sessions, and consents to an account's mails.",
    paths: ["/push", "/user/session/push_token", "/notification"],
  },
  {
    name: "Event feed",
    description: "Changes and events of the account in their order: the feed.",
    paths: ["/event"],
  },
  {
    name: "Sub-users",
    description: "Sub-users of the account, the trackers that they see and their rights.",
    paths: ["/subuser"],
  },
  {
    name: "Operators",
    description: "For operators of an installation: users, tariffs, devices, dealers and mails.",
    paths: ["/panel"],
  },
  {
    name: "Webhooks",
    description:
      "Addresses to which events are posted as they happen, signed by Standard Webhooks, with a log and repetitions.",
    paths: ["/webhook"],
  },
  { name: "Connection", description: "Calls without effect, to test the connection.", paths: ["/base"] },
];

const NAMED: NamedSchemas = {
  Master,
  Platform,
  Session,
  TimeZone,
  UserInfo: UserDetails,
  ActivationCode,
  ApiKey,
  Mail,
  User: PanelUser,
  ConnectedTracker,
  DealerSettings,
  AuditEntry: Entry,
  FeedEvent,
  NewSecurityGroup,
  NewSubUser,
  NewTariff,
  NewUser,
  SecurityGroup,
  SecurityGroupChanges,
  UserSettings: Settings,
  SubDealer,
  SubUser,
  SubUserChanges,
  Tariff,
  UserChanges,
  ChangedWebhook,
  NewWebhook,
  Webhook,
  WebhookAttempt,
  WebhookDelivery,
};

export function describe() {
  return describeOperations(operations, { topics: TOPICS, named: NAMED });
}
