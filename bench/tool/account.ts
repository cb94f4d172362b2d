import { OPERATOR, type Stack } from "./stack.ts";

/** Members that a figure needs are named where they are read. */
export type Answer = Record<string, unknown>;
export type Account = { hash: string; call(path: string, body: object): Promise<Answer> };
export type Tracker = { id: number; device_id: string };

/** Makes accounts as the operator would, all on one plan that keeps points for a year. */
export async function accountsOf({ origin }: Pick<Stack, "origin">) {
  const call = callerOf(origin);
  const { hash } = await call("/panel/account/auth", OPERATOR);
  const tariff = {
    name: "Bench",
    device_limit: 10_000,
    has_reports: true,
    store_period: "1y",
    features: ["app_tasks", "checkin", "retranslation"],
  };
  const { id: default_tariff_id } = await call("/panel/tariff/create", { hash, tariff });

  return async function newAccount(login: string): Promise<Account> {
    const user = { login, activated: true, first_name: "Bench", last_name: "Driver", legal_type: "individual" };
    await call("/panel/user/create", {
      hash,
      user,
      password: PASSWORD,
      time_zone: "UTC",
      locale: "en_US",
      default_tariff_id,
    });
    const session = await call("/user/auth", { login, password: PASSWORD });
    const userHash = String(session.hash);
    return { hash: userHash, call: (path, body) => call(path, { hash: userHash, ...body }) };
  };
}

/** Registers a tracker with a device id that no other tracker of the benchmark has. */
export async function registerTracker(account: Account, label: string): Promise<Tracker> {
  const device_id = String(FIRST_DEVICE + devices++);
  const tracker = { label, group_id: 0, model: "generic_gps", plugin_id: 44, device_id };
  const { value } = await account.call("/tracker/register", tracker);
  return { id: (value as { id: number }).id, device_id }; // the contract's tracker object
}

export function callerOf(origin: string) {
  return async function call(path: string, body: object): Promise<Answer> {
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(origin + BASE + path, { method: "POST", headers, body: JSON.stringify(body) });
    const answer = (await response.json()) as Answer & { status?: { code: number; description: string } }; // every reply
    if (answer.success) return answer;
    throw new Error(`${path} answered code ${answer.status?.code}: ${answer.status?.description}`);
  };
}

export const BASE = "/api-v2";
const FIRST_DEVICE = 860_000_000_000_000;
let devices = 0;
export const PASSWORD = "secret123";
