import { randomInt } from "node:crypto";
import { TOTP } from "otpauth";
import { systemNow } from "../../../../shared/time/clock.ts";
import type { Account, Accounts } from "../../call/account.ts";
import { linkedHash, mailedCode, newInactiveUser, newPendingLogin } from "../../call/mailbox.ts";
import { RANGE } from "../range.ts";
import type { Sample } from "../sample.ts";

export const USER_SAMPLES: Record<string, Sample[]> = {
  "/user/auth": [
    { as: "nobody", parameters: (_, { login, password }) => ({ login, password }) },
    { as: "nobody", parameters: () => ({}), before: newTimedUser },
  ],
  "/event/feed/read": [
    { parameters: () => ({}) },
    { parameters: () => ({ cursor: "oldest", types: ["vehicle.*"], limit: 10 }) },
  ],
  "/user/auth/code/verify": [
    { parameters: () => ({}), before: newCode },
    { parameters: () => ({}), before: newTimedLogin },
  ],
  "/user/auth/code/resend": [{ parameters: () => ({}), before: (_, accounts) => newPending(accounts) }],
  "/user/activate": [{ parameters: () => ({}), before: newActivationLink }],
  "/user/resend_activation": [
    { as: "nobody", parameters: () => ({}), before: (_, accounts) => newInactiveUser(accounts) },
  ],
  "/notification/agreement/show": [{ as: "nobody", parameters: () => ({ token: "abc" }) }],
  "/notification/agreement/accept": [{ as: "nobody", parameters: () => ({}), before: newAgreement }],
  "/activate": [{ as: "nobody", parameters: () => ({}) }],
  "/user/password/set": [{ parameters: () => ({}), before: newOldPassword }],
  "/user/password/change": [{ parameters: () => ({}), before: newRestoreLink }],
  "/user/restore_password": [
    { as: "nobody", parameters: (_, { login }) => ({ login: `x${login}` }) },
    { as: "nobody", parameters: () => ({}), before: newLogin },
  ],
  "/user/session/push_token/bind": [
    { parameters: () => ({ application: "vendor_android_viewer", token: "abc123" }) },
    {
      parameters: () => ({
        application: "w3c_pushapi",
        token: "https://push.example.net/send/abc123",
        parameters: { p256dh: "BJx3", auth: "k8Qd" },
        category_filter: "-history_task",
      }),
    },
  ],
  "/user/session/push_token/delete": [{ parameters: () => ({}) }],
  "/user/session/delivery/create": [{ parameters: () => ({}) }],
  "/user/session/delivery/read": [{ parameters: () => ({}), before: newDeliverySession }],
  "/push/vapid": [{ as: "nobody", parameters: () => ({}) }],
  "/user/settings/read": [{ parameters: () => ({}) }],
  "/user/settings/update": [
    { parameters: () => ({ translit: true, balance_alert_settings: { emails: [] } }) },
    { parameters: () => ({ second_factor: "totp" }), before: newAuthenticator },
  ],
  "/user/settings/second_factor/totp/create": [{ parameters: () => ({}) }],
  "/user/settings/file_storage/update": [{ parameters: () => ({ file_storage_settings: { auto_overwrite: false } }) }],
  "/user/settings/ui/update": [{ parameters: () => ({ key: "zoom", value: "12" }) }],
  "/user/settings/ui/read": [{ parameters: () => ({ key: "zoom" }), before: newUiSetting }],
  "/user/personal_info/update": [{ parameters: () => ({ phone: "", post_city: "Munich" }) }],
  "/user/audit/log/list": [
    { parameters: () => ({ ...RANGE }) },
    { parameters: ({ subuser_id }) => ({ ...RANGE, subuser_ids: [subuser_id] }) },
    {
      parameters: () => ({
        ...RANGE,
        actions: ["vehicle_create"],
        sort: ["user=desc", "action_date=asc"],
        grouping: "action",
        limit: 10,
      }),
    },
  ],
  "/user/audit/checkin": [{ parameters: () => ({}) }],
  "/user/logout": [{ parameters: () => ({}), before: newSession }],
  "/user/session/renew": [{ parameters: () => ({}) }],
  "/user/session/list": [{ parameters: () => ({}) }],
  "/user/session/delete": [{ parameters: ({ session_id }) => ({ session_id }), before: newSessionToEnd }],
  "/user/get_info": [{ parameters: () => ({}) }, { parameters: () => ({ application: "monitoring" }) }],
  "/user/get_tariff_restrictions": [{ parameters: () => ({}) }],
  "/api/key/create": [{ parameters: () => ({ title: "Key" }) }],
  "/api/key/list": [{ parameters: () => ({}) }],
  "/api/key/delete": [{ parameters: ({ api_key }) => ({ key: api_key }), before: newKey }],
  "/dealer/get_ui_config": [{ parameters: () => ({}) }],
  "/timezone/list": [{ as: "nobody", parameters: () => ({}) }],
  "/base/nothing": [{ parameters: () => ({}) }],
};

async function newSession({ login, password }: Account, { must }: Accounts) {
  const { hash } = await must("/user/auth", { login, password });
  return { hash };
}

/** The token in the mail by which a new address is asked to agree to notifications. */
async function newAgreement(_: Account, { newAccount, must, operatorHash, fireCron }: Accounts) {
  const account = await newAccount();
  const address = `${systemNow()}-${randomInt(1e9)}@example.com`;
  const { id: tracker_id } = await account.newTracker();
  const { id: vehicle_id } = await account.must("/vehicle/create", { vehicle: { label: "Van", tracker_id } });
  const conditions = { date: { end: "2020-01-01 00:00:00" } };
  const task = { vehicle_id, description: "Oil", conditions, notifications: { emails: [address] } };
  await account.must("/vehicle/service_task/create", { task });
  await fireCron("fleet");
  const { list } = await must("/panel/mail/list", { hash: await operatorHash() });
  const { text = "" } = list.find(({ to }: { to: string }) => to === address) ?? {};
  return { token: /token=(\S+)/.exec(text)?.[1] };
}

async function newSessionToEnd({ login, password }: Account, { must }: Accounts) {
  const { hash } = await must("/user/auth", { login, password });
  const { list } = await must("/user/session/list", { hash });
  const session = list.find(({ current }: { current: boolean }) => current);
  return { hash, session_id: session?.id };
}

async function newPending(accounts: Accounts) {
  const { hash } = await newPendingLogin(accounts);
  return { hash };
}

async function newCode(_: Account, accounts: Accounts) {
  const { account, hash } = await newPendingLogin(accounts);
  return { hash, code: await mailedCode(account.login, accounts) };
}

/** The session of a new account, and the code that turns its authenticator on. */
async function newAuthenticator(_: Account, { newAccount }: Accounts) {
  const { hash, must } = await newAccount();
  const { secret } = await must("/user/settings/second_factor/totp/create");
  return { hash, code: new TOTP({ secret }).generate() };
}

async function newTimedUser(_: Account, { newAccount }: Accounts) {
  const { login, password, must } = await newAccount();
  const { secret } = await must("/user/settings/second_factor/totp/create");
  await must("/user/settings/update", { second_factor: "totp", code: new TOTP({ secret }).generate() });
  return { login, password, secret: String(secret) };
}

async function newTimedLogin(account: Account, accounts: Accounts) {
  const { secret, ...login } = await newTimedUser(account, accounts);
  const { hash } = await accounts.must("/user/auth", login);
  // The code of the current half minute is used up.
  return { hash, code: new TOTP({ secret }).generate({ timestamp: systemNow() + 30_000 }) };
}

async function newActivationLink(_: Account, accounts: Accounts) {
  const { login } = await newInactiveUser(accounts);
  return { hash: await linkedHash(login, accounts) };
}

async function newLogin(_: Account, { newAccount }: Accounts) {
  const { login } = await newAccount();
  return { login };
}

async function newRestoreLink(_: Account, accounts: Accounts) {
  const { login } = await accounts.newAccount();
  await accounts.must("/user/restore_password", { login });
  return { hash: await linkedHash(login, accounts), password: "another-one" };
}

async function newOldPassword(_: Account, { newAccount }: Accounts) {
  const { hash, password } = await newAccount();
  return { hash, old_password: password, new_password: "another-one" };
}

async function newUiSetting(account: Account) {
  await account.must("/user/settings/ui/update", { key: "zoom", value: "12" });
  return {};
}

async function newDeliverySession(account: Account) {
  await account.must("/user/session/delivery/create");
  return {};
}

async function newKey(account: Account) {
  const { value } = await account.must("/api/key/create", { title: "For an end" });
  return { key: value.hash };
}
