import { randomInt } from "node:crypto";
import { expect } from "vitest";
import * as z from "zod";
import { FEATURES } from "#shared/contract/tracker/tariff.ts";
import { jsonReply } from "../../../shared/operation/json-schema.ts";
import { systemNow } from "../../../shared/time/clock.ts";
import { type Addresses, controls } from "../system/controls.ts";
import { OPERATOR } from "../system/operator.ts";
import { stack } from "../system/stack.ts";
import { recordCall } from "./call-record.ts";
import { DECLARED, type Declared } from "./declared.ts";
import { sendText, type TextAnswer } from "./send-text.ts";
import { type Facts, SpareAccounts } from "./spare-accounts.ts";

/** A reply's members as a test sees them: whatever JSON came. */
// biome-ignore lint/suspicious/noExplicitAny: a test asserts what a reply holds; declaring it first would say it twice
export type Reply = any;
export type Account = Awaited<ReturnType<typeof newAccount>>;
export type Accounts = ReturnType<typeof accountsOn>;
type AccountSettings = { plan?: object; user?: object; time_zone?: string; locale?: string; password?: string };

/** An id that no object has, in no account. */
export const UNKNOWN_ID = 999_999_999;

const PASSWORD = "secret123";

/** Error codes that any operation may answer. */
const GENERAL = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15];

/** Makes accounts and calls on one system: the one that all tests share, or a test's own. */
export function accountsOn(
  { baseUrl, controlUrl = "" }: Pick<Addresses, "baseUrl"> & Partial<Addresses>,
  operatorLogin = OPERATOR,
) {
  let operatorSession: Promise<string> | undefined;
  const { fireCron, bringForward, copyUser } = controls({ controlUrl });
  /** Calls of an operator. */
  const operator = {
    call: async (path: string, parameters: object = {}) => call(path, { hash: await operatorHash(), ...parameters }),
    must: async (path: string, parameters: object = {}) => must(path, { hash: await operatorHash(), ...parameters }),
  };
  const makeAccount = makerOf({ call, must, operatorHash });
  const spare = new SpareAccounts(makeAccount, copyUser);
  return { call, must, operator, operatorHash, newAccount, feed, fireCron, bringForward };

  /** Calls an operation and holds the reply against its declaration: no undeclared code, and nothing but what is declared. */
  async function call(path: string, parameters: object = {}, headers: Record<string, string> = {}): Promise<Reply> {
    const answer = await send(baseUrl + path, bodyOf(parameters, headers));
    const { text } = answer;
    recordCall({ baseUrl, controlUrl, path, parameters, headers, answer });
    const reply = replyOf(text);
    const declared = DECLARED.get(path);
    if (declared && reply.success === false && ![...GENERAL, ...declared.errors].includes(reply.status.code)) {
      expect.fail(`${path} does not declare the code of ${shorten(reply)}`);
    }
    const offences = declared && reply.success === true && !("file" in reply) ? offencesOf(declared, reply) : [];
    if (offences.length > 0) expect.fail(`${path} declares another reply: ${shorten(offences)} in ${shorten(reply)}`);
    return reply;
  }

  /** Calls an operation that must succeed. */
  async function must(path: string, parameters: object = {}, headers: Record<string, string> = {}): Promise<Reply> {
    const reply = await call(path, parameters, headers);
    // The reply is shown here: calls that fail before the first test are explained nowhere else.
    if (reply.success !== true) expect.fail(`${path}: ${shorten(reply)}`);
    return reply;
  }

  /** The hash of an operator's session, one for all tests of a file. */
  function operatorHash(): Promise<string> {
    operatorSession ??= must("/panel/account/auth", operatorLogin).then(({ hash }) => hash);
    return operatorSession;
  }

  /** Makes an account for the test alone, with its master logged in. `plan` gives it a plan of its own; others share one. */
  async function newAccount({
    plan,
    time_zone = "Europe/Berlin",
    locale = "en_US",
    ...settings
  }: AccountSettings = {}) {
    const canBeCopy = controlUrl !== "" && !plan && !settings.user && !settings.password;
    const facts = canBeCopy
      ? await spare.take({ time_zone, locale })
      : await makeAccount({ plan, time_zone, locale, ...settings });
    return accountOf(facts, plan !== undefined, { call, must, operatorHash });
  }

  /** Sends points as a device does. */
  async function feed(device_id: string, points: object[]): Promise<Reply> {
    return call("/ingest/points", { device_id, points });
  }
}

async function send(url: string, { headers, body }: Content): Promise<TextAnswer> {
  if (typeof body === "string") return sendText("POST", url, body, headers);
  const answer = await fetch(url, { method: "POST", headers, body });
  return { status: answer.status, request_id: answer.headers.get("X-Request-Id") ?? "", text: await answer.text() };
}

type Calls = {
  call(path: string, parameters?: object, headers?: Record<string, string>): Promise<Reply>;
  must(path: string, parameters?: object, headers?: Record<string, string>): Promise<Reply>;
  operatorHash(): Promise<string>;
};

/** Makes accounts by calls, with their masters logged in. */
function makerOf({ must, operatorHash }: Calls) {
  let made: Promise<number> | undefined;

  return async function makeAccount({ plan, user, password = PASSWORD, ...settings }: AccountSettings): Promise<Facts> {
    const login = `${newName()}@example.com`;
    const plan_id = await (plan ? newPlan(plan) : sharedPlan());
    const created = await must("/panel/user/create", {
      hash: await operatorHash(),
      user: { login, activated: true, legal_type: "individual", first_name: "Ann", last_name: "Lee", ...user },
      password,
      ...settings,
      default_tariff_id: plan_id,
    });
    const { hash } = await must("/user/auth", { login, password });
    return { id: created.id, login, password, plan_id, hash };
  };

  /** The id of the plan that all accounts without one of their own share. */
  function sharedPlan(): Promise<number> {
    made ??= newPlan();
    return made;
  }

  async function newPlan(plan: object = {}): Promise<number> {
    const tariff = { name: newName(), store_period: "1y", device_limit: 1000, features: FEATURES, ...plan };
    return (await must("/panel/tariff/create", { hash: await operatorHash(), tariff })).id;
  }
}

function accountOf(facts: Facts, hasOwnPlan: boolean, { call, must, operatorHash }: Calls) {
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
    /** Changes the tariff of all the account's trackers, as an operator. */
    async changeTariff(changes: object) {
      if (!hasOwnPlan) throw new Error("Other accounts have this plan, too: make the account with `plan: {}`.");
      await must("/panel/tariff/update", {
        hash: await operatorHash(),
        tariff: { id: facts.plan_id, ...changes },
      });
    },
    /** Blocks or unblocks a tracker, as an operator. */
    async block(tracker_id: number, blocked = true) {
      await must("/panel/tracker/source/update", { hash: await operatorHash(), tracker_id, blocked });
    },
  };
}

export const { call, must, operator, operatorHash, newAccount, feed } = accountsOn(stack);

/** Shared accounts by test file, because one process runs many files. */
const ofFiles = new Map<string | undefined, Promise<Account>>();

/** The account of those tests of a file that do not mind what the others leave in it: making an account takes time. */
export function sharedAccount(): Promise<Account> {
  const { testPath } = expect.getState();
  const account = ofFiles.get(testPath) ?? newAccount();
  ofFiles.set(testPath, account);
  return account;
}

function newName(): string {
  return `${systemNow()}-${randomInt(1e12)}`;
}

/** A device id of 15 digits that no other test has. */
export function newImei(): string {
  return String(randomInt(1e14, 2.8e14)).padStart(15, "8");
}

/** Parses a reply. A reply that is no JSON is a file, which becomes the only member besides `success`. */
export function replyOf(text: string): Reply {
  return text.startsWith("{") ? JSON.parse(text) : { success: true, file: text };
}

function shorten(value: unknown): string {
  return JSON.stringify(value).slice(0, 2000);
}

type Content = { headers: Record<string, string>; body: string | FormData };

/** The body and headers of a call. With a file among them, parameters are parts of a form; those that are no text are JSON text. */
export function bodyOf(parameters: object, headers: Record<string, string> = {}): Content {
  const given = Object.entries(parameters);
  if (!given.some(([, value]) => value instanceof File)) {
    return { headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(parameters) };
  }
  const body = new FormData();
  for (const [name, value] of given) {
    body.set(name, value instanceof File || typeof value === "string" ? value : JSON.stringify(value));
  }
  return { headers, body };
}

/** The places where a reply differs from the description of its operation. */
function offencesOf(declared: Declared, reply: Reply): unknown[] {
  const schema = schemas.get(declared.path) ?? z.fromJSONSchema(jsonReply(declared.output));
  schemas.set(declared.path, schema);
  return schema.safeParse(reply).error?.issues ?? [];
}

/** Schemas of replies by path: making one takes longer than using it. */
const schemas = new Map<string, z.ZodType>();
