import { randomInt } from "node:crypto";
import { systemNow } from "../../../shared/time/clock.ts";
import { type Account, type Accounts, call, must, newAccount, operatorHash, type Reply } from "./account.ts";

type Caller = Pick<Accounts, "must" | "operatorHash">;
const SHARED = { call, must, operatorHash, newAccount };

/** The newest mail to the login, as the operator reads it. */
export async function mailTo(login: string, { must, operatorHash }: Caller = SHARED): Promise<Reply> {
  const { list } = await must("/panel/mail/list", { hash: await operatorHash() });
  const found = list.find(({ to }: { to: string }) => to === login);
  if (!found) throw new Error(`There is no mail to ${login}.`);
  return found;
}

/** The hash in the link of the newest mail. */
export async function linkedHash(login: string, caller?: Caller): Promise<string> {
  const { text } = await mailTo(login, caller);
  return /\/activate\?hash=([0-9a-f]{32})\n/.exec(text)?.[1] ?? "";
}

/** The code of the newest mail. */
export async function mailedCode(login: string, caller?: Caller): Promise<string> {
  const { text } = await mailTo(login, caller);
  return /^\d{6}$/m.exec(text)?.[0] ?? "";
}

/** Makes an account whose master has not opened the mailed link yet. */
export async function newInactiveUser({ must, operatorHash }: Caller = SHARED, { locale = "en_US", user = {} } = {}) {
  const login = `${systemNow()}-${randomInt(1e12)}@example.com`;
  const password = "secret123";
  const { id } = await must("/panel/user/create", {
    hash: await operatorHash(),
    user: { login, legal_type: "individual", first_name: "Bob", ...user },
    ...{ password, time_zone: "Europe/Berlin", locale },
  });
  return { id: Number(id), login, password };
}

/** Makes a sub-user of the account who has logged in by a password. */
export async function newSubUser(account: Account, caller: Pick<Accounts, "must"> = SHARED) {
  const login = `${systemNow()}-${randomInt(1e12)}@example.com`;
  const password = "secret123";
  const user = { login, activated: true, legal_type: "individual", first_name: "Bo" };
  const { id } = await account.must("/subuser/register", { user, password });
  const { hash } = await caller.must("/user/auth", { login, password });
  return { id: Number(id), login, password, hash: String(hash) };
}

/** An account whose log-in takes a mailed code too, and the hash of a log-in that waits for it. */
export async function newPendingLogin({ newAccount, must }: Pick<Accounts, "newAccount" | "must"> = SHARED) {
  const account = await newAccount();
  await account.must("/user/settings/update", { second_factor: "email" });
  const { login, password } = account;
  const { hash } = await must("/user/auth", { login, password });
  return { account, hash: String(hash) };
}
