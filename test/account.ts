import { randomInt } from "node:crypto";
import { expect } from "vitest";
import { operations as gatewayOperations } from "../gateway/src/operations.ts";
import { operations as filesOperations } from "../services/files/src/operations.ts";
import { operations as fleetOperations } from "../services/fleet/src/operations.ts";
import { operations as geoOperations } from "../services/geo/src/operations.ts";
import { operations as reportsOperations } from "../services/reports/src/operations.ts";
import { operations as tasksOperations } from "../services/tasks/src/operations.ts";
import { stack } from "./stack.ts";
import { OPERATOR } from "./system.ts";

/** A reply's members as a test sees them: whatever JSON came. */
// biome-ignore lint/suspicious/noExplicitAny: a test asserts what a reply holds; declaring it first would say it twice
export type Reply = any;
export type Account = Awaited<ReturnType<typeof newAccount>>;

/** An id that no object has, in no account. */
export const UNKNOWN_ID = 999_999_999;

/** Codes possible on every call. */
const GENERAL = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15];

const DECLARED = new Map(
  [gatewayOperations, fleetOperations, tasksOperations, geoOperations, filesOperations, reportsOperations]
    .flat()
    .map((operation) => [operation.path, operation]),
);

/** Calls an operation and holds the reply against its declaration: no undeclared code, no undeclared member. */
export async function call(
  path: string,
  parameters: object = {},
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await fetch(stack.baseUrl + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(parameters),
  });
  const reply: Reply = await response.json();
  const declared = DECLARED.get(path);
  if (declared && reply.success === false) {
    expect([...GENERAL, ...declared.errors], `code of ${path}: ${JSON.stringify(reply)}`).toContain(reply.status.code);
  }
  if (declared && reply.success === true && !wantsIso(parameters, headers)) {
    const { success, ...members } = reply;
    const undeclared = Object.keys(members).filter((name) => !(name in declared.output.shape));
    expect(undeclared, `members of ${path}`).toEqual([]);
  }
  return reply;
}

/** The same, for a call that must succeed. */
export async function must(
  path: string,
  parameters: object = {},
  headers: Record<string, string> = {},
): Promise<Reply> {
  const reply = await call(path, parameters, headers);
  expect(reply, `${path} ${JSON.stringify(parameters).slice(0, 500)}`).toMatchObject({ success: true });
  return reply;
}

let operator: Promise<string> | undefined;

/** The hash of an operator's session, one for all tests of a file. */
export function operatorHash(): Promise<string> {
  operator ??= must("/panel/account/auth", OPERATOR).then(({ hash }) => hash);
  return operator;
}

export const FEATURES = [
  "multilevel_access",
  "retranslation",
  "app_fleet",
  "app_tasks",
  "driver_journal",
  "checkin",
  "statuses",
  "routing",
];

/** An account of a test's own, with a plan of its own, and its master logged in. */
export async function newAccount({ plan = {}, user = {}, time_zone = "Europe/Berlin", locale = "en_US" } = {}) {
  const hash = await operatorHash();
  const name = `${Date.now()}-${randomInt(1e12)}`;
  const tariff = { name, store_period: "1y", device_limit: 1000, features: FEATURES, ...plan };
  const { id: plan_id } = await must("/panel/tariff/create", { hash, tariff });
  const login = `${name}@example.com`;
  const password = "secret123";
  const created = await must("/panel/user/create", {
    hash,
    user: { login, activated: true, legal_type: "individual", first_name: "Ann", last_name: "Lee", ...user },
    password,
    time_zone,
    locale,
    default_tariff_id: plan_id,
  });
  const session = await must("/user/auth", { login, password });
  return accountOf({ id: created.id, login, password, plan_id, hash: session.hash });
}

function accountOf(facts: { id: number; login: string; password: string; plan_id: number; hash: string }) {
  return {
    ...facts,
    call: (path: string, parameters: object = {}, headers = {}) =>
      call(path, { hash: facts.hash, ...parameters }, headers),
    must: (path: string, parameters: object = {}, headers = {}) =>
      must(path, { hash: facts.hash, ...parameters }, headers),
    /** Registers a device of the account; the value is the tracker. */
    async newTracker({ label = "Van 7", device_id = newImei() } = {}): Promise<Reply> {
      const given = { label, group_id: 0, model: "generic_gps", plugin_id: 44, device_id };
      const { value } = await must("/tracker/register", { hash: facts.hash, ...given });
      return value;
    },
  };
}

/** 15 digits that no other test has. */
export function newImei(): string {
  return String(randomInt(1e14, 2.8e14)).padStart(15, "8");
}

/** Sends points as a device does. */
export async function feed(device_id: string, points: object[]): Promise<Reply> {
  return call("/ingest/points", { device_id, points });
}

function wantsIso(parameters: object, headers: Record<string, string>) {
  return "iso_datetime" in parameters || "FMS-ISO-DateTime" in headers;
}
