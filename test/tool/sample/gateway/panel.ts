import { randomInt } from "node:crypto";
import { systemNow } from "../../../../shared/time/clock.ts";
import { type Account, type Accounts, newImei } from "../../call/account.ts";
import { OPERATOR } from "../../system/operator.ts";
import { newTracker } from "../fleet/tracker.ts";
import { ZONE } from "../range.ts";
import type { Sample } from "../sample.ts";

export const PANEL_SAMPLES: Record<string, Sample[]> = {
  "/panel/account/auth": [{ as: "nobody", parameters: () => OPERATOR }],
  "/panel/tariff/create": [{ as: "operator", parameters: () => ({ tariff: { name: `Plan ${randomInt(1e12)}` } }) }],
  "/panel/tariff/update": [{ as: "operator", parameters: (_, { plan_id }) => ({ tariff: { id: plan_id, price: 5 } }) }],
  "/panel/user/create": [
    { as: "operator", parameters: (_, { plan_id }) => newUser({ activated: true }, plan_id) },
    { as: "operator", parameters: (_, { plan_id }) => newUser({ activated: false }, plan_id) },
  ],
  "/panel/user/update": [
    { as: "operator", parameters: (_, { id }) => ({ user_id: id, comment: "Pays late", block_status: "NOT_BLOCKED" }) },
    {
      as: "operator",
      parameters: (_, { id, plan_id }) => ({ user_id: id, user: { phone: "" }, default_tariff_id: plan_id }),
    },
  ],
  "/panel/dealer/block": [{ as: "operator", parameters: () => ({ dealer_id: 1, blocked: false }) }],
  "/panel/subpaas/create": [{ as: "operator", parameters: () => newDealer() }],
  "/panel/subpaas/list": [{ as: "operator", parameters: () => ({}) }],
  "/panel/subpaas/read": [{ as: "operator", parameters: () => ({}), before: newSubDealer }],
  "/panel/subpaas/update": [
    { as: "operator", parameters: () => ({ block_type: "NOT_BLOCKED", password: "another123" }), before: newSubDealer },
  ],
  "/panel/user/menu/read": [{ as: "operator", parameters: (_, { id }) => ({ user_id: id, application: "web" }) }],
  "/panel/user/menu/update": [{ as: "operator", parameters: (_, { id }) => ({ user_id: id, value: MENU }) }],
  "/panel/user/menu/default/read": [{ as: "operator", parameters: () => ({ application: "web" }) }],
  "/panel/user/menu/default/update": [{ as: "operator", parameters: () => ({ value: MENU }) }],
  "/panel/equipment/list": [{ as: "operator", parameters: () => ({}) }],
  "/panel/tracker/bundle/import": [{ as: "operator", parameters: () => ({ imeis: [newImei()], equip_id: 1 }) }],
  "/panel/dealer/activation_code/create": [
    { as: "operator", parameters: (_, { plan_id }) => ({ count: 2, tariff_id: plan_id }) },
  ],
  "/panel/dealer/activation_code/list": [{ as: "operator", parameters: () => ({ used: false, limit: 1 }) }],
  "/panel/tracker/source/update": [
    { as: "operator", parameters: ({ tracker_id }) => ({ tracker_id, blocked: false }) },
  ],
  "/panel/tracker/list": [
    { as: "operator", parameters: () => ({}) },
    { as: "operator", parameters: (_, { id, plan_id }) => ({ user_id: id, tariff_id: plan_id, filter: "van" }) },
  ],
  "/panel/tracker/read": [{ as: "operator", parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/panel/tracker/settings/update": [
    { as: "operator", parameters: ({ tracker_id }) => ({ tracker_id, comment: "On loan" }) },
  ],
  "/panel/tracker/tariff/change": [
    {
      as: "operator",
      parameters: ({ tracker_id }, { plan_id }) => ({ tracker_id, tariff_id: plan_id, repay: false, charge: false }),
    },
  ],
  "/panel/tracker/clone": [
    {
      as: "operator",
      parameters: ({ tracker_id }) => ({ tracker_id, label: "Rented van" }),
      before: newUserId,
    },
  ],
  "/panel/tracker/corrupt": [{ as: "operator", parameters: () => ({}), before: newTracker }],
  "/panel/user/corrupt": [{ as: "operator", parameters: () => ({}), before: newUserToRemove }],
  "/panel/account/get_permissions": [{ as: "operator", parameters: () => ({}) }],
  "/panel/account/logout": [{ as: "operator", parameters: () => ({}), before: newOperatorSession }],
  "/panel/tariff/list": [{ as: "operator", parameters: () => ({ filter: "plan", limit: 1 }) }],
  "/panel/tariff/read": [{ as: "operator", parameters: (_, { plan_id }) => ({ tariff_id: plan_id }) }],
  "/panel/tariff/defaults/read": [{ as: "operator", parameters: () => ({}) }],
  "/panel/tariff/defaults/update": [
    {
      as: "operator",
      parameters: (_, { plan_id }) => ({
        tracker: { tariff_id: plan_id, activation_bonus: 0, free_days: 0, free_days_device_limit: 0 },
      }),
    },
  ],
  "/panel/user/read": [{ as: "operator", parameters: (_, { id }) => ({ user_id: id }) }],
  "/panel/user/list": [{ as: "operator", parameters: () => ({ filter: "example", limit: 1 }) }],
  "/panel/user/change_password": [
    { as: "operator", parameters: () => ({ password: "another123" }), before: newUserId },
  ],
  "/panel/user/session/create": [{ as: "operator", parameters: (_, { id }) => ({ user_id: id }) }],
  "/panel/dealer/settings/service/read": [{ as: "operator", parameters: () => ({}) }],
  "/panel/dealer/settings/service/update": [{ as: "operator", parameters: () => ({ service_title: "Fleet" }) }],
  "/panel/mail/list": [{ as: "operator", parameters: () => ({}) }],
};

const MENU = { application: "web", account_menu: [{ name: "info" }], main_menu: [], footer_menu: [] };

function newDealer(name = `${systemNow()}-${randomInt(1e12)}`) {
  return { title: "Rent", email: `${name}@example.com`, password: "secret123" };
}

async function newSubDealer(_: Account, { must, operatorHash }: Accounts) {
  const { id } = await must("/panel/subpaas/create", { hash: await operatorHash(), ...newDealer() });
  return { dealer_id: Number(id) };
}

async function newOperatorSession(_: Account, { must }: Accounts) {
  const { hash } = await must("/panel/account/auth", OPERATOR);
  return { hash };
}

/** The id of a new user, whose sessions may end. */
async function newUserId(_: Account, { newAccount }: Accounts) {
  const { id } = await newAccount();
  return { user_id: id };
}

async function newUserToRemove(_: Account, { newAccount }: Accounts) {
  const account = await newAccount();
  await account.newTracker();
  return { user_id: account.id, login: account.login };
}

function newUser(user: { activated: boolean }, default_tariff_id: number) {
  const login = `${systemNow()}-${randomInt(1e12)}@example.com`;
  const settings = { password: "secret123", time_zone: ZONE, locale: "en_US", default_tariff_id };
  return { user: { login, legal_type: "individual", ...user }, ...settings };
}
