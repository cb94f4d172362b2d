import * as z from "zod";
import { accountsOf, BASE, type callerOf } from "../../bench/tool/account.ts";
import type { Stack } from "../../bench/tool/stack.ts";
import { ERRORS, type ErrorCode } from "../../shared/error/api-error.ts";
import type { Operation } from "../../shared/operation/declaration.ts";
import { describeSchemas, jsonReply } from "../../shared/operation/json-schema.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { EVERY_OPERATION } from "../tool/call/every-operation.ts";
import { type Chance, chanceOf } from "./chance.ts";
import { type Ids, madeOf } from "./values.ts";

export type Offence = { what: string; path: string; parameters: unknown };
export type Campaign = { calls: number; byCode: Map<number, number>; offences: Offence[] };

/**
 * Calls made of the declarations, of all operations that a user may call, until the time or the number is over. An answer
 * offends that is none, was not declared, took too long, or says that it was our mistake.
 */
export async function fuzz(stack: Stack, seed: number, limits: { seconds: number; calls: number }): Promise<Campaign> {
  const chance = chanceOf(seed);
  const newAccount = await accountsOf(stack);
  const [own, foreign] = [await newAccount("fuzzed@example.com"), await newAccount("foreign@example.com")];
  const ids = new IdStore(chance);
  await makeThings(ids, own.call, "8600000000001");
  await makeThings(ids, foreign.call, "8600000000002");
  const operations = [...EVERY_OPERATION.values()].filter(isOfUsers);
  const campaign: Campaign = { calls: 0, byCode: new Map(), offences: [] };
  const end = systemNow() + limits.seconds * 1000;

  async function callOn() {
    while (systemNow() < end && campaign.calls < limits.calls && campaign.offences.length < MAX_OFFENCES) {
      campaign.calls++;
      const operation = chance.pick(operations);
      const parameters = parametersOf(operation, chance, ids);
      const offence = await tryCall(operation, { hash: own.hash, ...parameters }, stack.origin, ids, campaign);
      if (offence) campaign.offences.push({ what: offence, path: operation.path, parameters });
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, callOn));
  const health = await fetch(`${stack.origin}/health`);
  if (!health.ok) campaign.offences.push({ what: await health.text(), path: "/health", parameters: {} });
  return campaign;
}

/** A line to paste, less the hash, which is over by then. */
export function curlOf({ path, parameters }: Offence): string {
  const body = JSON.stringify({ hash: "$HASH", ...(parameters as object) }).replaceAll("'", "'\\''");
  return `curl -s "$BASE${path}" -H 'Content-Type: application/json' -d '${body.replace("$HASH", `'"$HASH"'`)}'`;
}

/** The reason why the answer is wrong; undefined when the operation may give it. */
async function tryCall(
  operation: AnyOperation,
  parameters: object,
  origin: string,
  ids: IdStore,
  { byCode }: Campaign,
): Promise<string | undefined> {
  const { path, errors } = operation;
  const began = systemNow();
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify(parameters);
  const answer = await fetch(origin + BASE + path, { method: "POST", headers, body, redirect: "manual" });
  const text = await answer.text();
  const tookMs = systemNow() - began;
  if (tookMs > MAX_ANSWER_MS) return `took ${tookMs} ms`;
  if (answer.status === 302) return undefined;
  if (answer.ok && !answer.headers.get("Content-Type")?.startsWith("application/json")) return undefined;
  const reply: Reply = JSON.parse(text);
  const code = reply.success ? 0 : reply.status?.code;
  if (code === undefined) return `answered ${text.slice(0, 200)}`;
  byCode.set(code, (byCode.get(code) ?? 0) + 1);
  if (code === 0) {
    ids.learn(path, reply);
    const offences = schemaOf(operation).safeParse(reply).error?.issues;
    return offences && `answered what is not declared: ${JSON.stringify(offences).slice(0, 500)}`;
  }
  if (code === 7 && !reply.errors?.[0]?.parameter) return "answered 7 without a parameter";
  const possible: number[] = [...GENERAL, ...errors];
  return possible.includes(code) ? undefined : `answered code ${code}, ${ERRORS[code as ErrorCode]?.[1]}`;
}

type AnyOperation = Pick<Operation<never>, "path" | "errors" | "input" | "output" | "accepts">;
type Reply = {
  success: boolean;
  status?: { code: number };
  errors?: { parameter?: string }[];
  [name: string]: unknown;
};

function isOfUsers({ path, accepts }: AnyOperation) {
  return (!accepts || accepts.includes("session")) && !ENDING.test(path);
}

function parametersOf({ input }: AnyOperation, chance: Chance, ids: Ids): object {
  const value = madeOf(describeSchemas({}).of(input, "input"), "", chance, ids);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

function schemaOf({ path, output }: AnyOperation): z.ZodType {
  const schema = schemas.get(path) ?? z.fromJSONSchema(jsonReply(output));
  schemas.set(path, schema);
  return schema;
}

const schemas = new Map<string, z.ZodType>();

/** Ids found in replies, by the kind of thing in the path of the call. */
class IdStore implements Ids {
  readonly #chance: Chance;
  readonly #byThing = new Map<string, number[]>();

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  learn(path: string, reply: Record<string, unknown>) {
    const thing = path.split("/").at(-2) ?? "";
    const list = [reply, reply.value, ...(Array.isArray(reply.list) ? reply.list.slice(0, 5) : [])];
    for (const one of list) {
      const id = typeof one === "object" && one !== null && "id" in one ? one.id : undefined;
      if (typeof id === "number") this.#byThing.set(thing, [...(this.#byThing.get(thing) ?? []).slice(-200), id]);
    }
  }

  of(name: string): number {
    const thing = name.replace(/_?ids?$/, "").replace(/s$/, "");
    const known = this.#byThing.get(thing) ?? [...this.#byThing.values()].flat();
    return known.length > 0 ? this.#chance.pick(known) : 1;
  }
}

/** One of each that others refer to. */
async function makeThings(ids: IdStore, call: ReturnType<typeof callerOf>, imei: string) {
  const make = async (path: string, parameters: object) => ids.learn(path, await call(path, parameters));
  const tracker = { label: "Van", group_id: 0, model: "generic_gps", plugin_id: 44 };
  for (const last of ["11", "22"]) await make("/tracker/register", { ...tracker, device_id: imei + last });
  await make("/vehicle/create", { vehicle: { label: "Van" } });
  await make("/employee/create", { employee: { first_name: "Ann" } });
  await make("/department/create", { department: { label: "North" } });
  await make("/tag/create", { tag: { name: "red", color: "ff0000" } });
  const location = { lat: 50, lng: 8, address: "", radius: 100 };
  await make("/place/create", { place: { label: "Depot", location } });
  const zone = { label: "Yard", type: "circle", center: { lat: 50, lng: 8 }, radius: 100, color: "ff0000" };
  await make("/zone/create", { zone });
}

/** They would end the campaign's own session, or its account. */
const ENDING = /^\/user\/(logout|session\/delete|password)|^\/user\/settings\/update$|^\/api\/key/;
const GENERAL = [3, 4, 5, 7, 9, 11, 13, 14, 15, 101];
const MAX_ANSWER_MS = 10_000;
const AT_ONCE = 6;
const MAX_OFFENCES = 20;
