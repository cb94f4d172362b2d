import type { Operation } from "#shared/operation/declaration.ts";
import { operations as audit } from "./audit/operations.ts";
import { operations as credentialApiKey } from "./credential/api-key/operations.ts";
import { operations as credentialDeliverySession } from "./credential/delivery-session/operations.ts";
import { operations as credentialSession } from "./credential/session/operations.ts";
import { operations as dealer } from "./dealer/operations.ts";
import { operations as dealerSubDealer } from "./dealer/sub-dealer/operations.ts";
import type { GatewayEnv } from "./env.ts";
import { operations as eventFeed } from "./event/feed/operations.ts";
import { operations as loginActivation } from "./login/activation/operations.ts";
import { operations as login } from "./login/operations.ts";
import { operations as loginPassword } from "./login/password/operations.ts";
import { operations as loginSecondFactor } from "./login/second-factor/operations.ts";
import { operations as mailNotice } from "./mail/notice/operations.ts";
import { operations as panelAccount } from "./panel/account.ts";
import { operations as panelDealer } from "./panel/dealer.ts";
import { operations as panelMail } from "./panel/mail.ts";
import { operations as panelStock } from "./panel/stock.ts";
import { operations as panelTariff } from "./panel/tariff.ts";
import { operations as panelTracker } from "./panel/tracker/operations.ts";
import { operations as panelUser } from "./panel/user.ts";
import { operations as panelUsers } from "./panel/users.ts";
import { operations as push } from "./push/operations.ts";
import { operations as receiveBase } from "./receive/base/operations.ts";
import { operations as subUserGroup } from "./sub-user/group/operations.ts";
import { operations as subUser } from "./sub-user/operations.ts";
import { operations as subUserTrackerOperations } from "./sub-user/tracker-operations.ts";
import { operations as userMenu } from "./user/menu/operations.ts";
import { operations as user } from "./user/operations.ts";
import { operations as userRemoval } from "./user/removal/operations.ts";
import { operations as userSettings } from "./user/settings/operations.ts";
import { operations as userSettingsSecondFactor } from "./user/settings/second-factor.ts";
import { operations as userTimezone } from "./user/timezone/operations.ts";
import { operations as webhookDelivery } from "./webhook/delivery/operations.ts";
import { operations as webhook } from "./webhook/operations.ts";

export const operations: Operation<GatewayEnv>[] = [
  ...login,
  ...loginSecondFactor,
  ...userSettingsSecondFactor,
  ...loginActivation,
  ...loginPassword,
  ...push,
  ...mailNotice,
  ...credentialDeliverySession,
  ...credentialSession,
  ...userSettings,
  ...audit,
  ...eventFeed,
  ...user,
  ...dealer,
  ...subUser,
  ...subUserTrackerOperations,
  ...subUserGroup,
  ...credentialApiKey,
  ...userTimezone,
  ...receiveBase,
  ...webhook,
  ...webhookDelivery,
  ...panelAccount,
  ...panelTariff,
  ...panelUser,
  ...panelUsers,
  ...userMenu,
  ...panelStock,
  ...panelDealer,
  ...dealerSubDealer,
  ...panelTracker,
  ...userRemoval,
  ...panelMail,
];
