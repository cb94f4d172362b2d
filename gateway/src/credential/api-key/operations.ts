import * as z from "zod";
import { dateTime, printableText } from "#shared/operation/fields.ts";
import { unseal } from "#shared/secret/seal.ts";
import type { GatewayEnv } from "../../env.ts";
import { operation } from "../../operation.ts";
import { guardOf } from "../guard/guard-stub.ts";
import { refreshGuards } from "../guard/refresh.ts";
import { generateHash, keyOf } from "../hash.ts";
import { insertApiKey, removeApiKey, requireApiKey, selectApiKeys } from "./queries.ts";

export const ApiKey = z.object({
  hash: z.string(),
  create_date: dateTime(),
  title: z.string(),
  /** Present if agents that have the key may change something. */
  agent_writes: z.literal(true).optional(),
});
/** The credentials of a master who logged in with a password or has just followed the activation link. */
const OWN_SESSION = ["session", "activation"] as const;

export const createApiKey = operation("/api/key/create", {
  summary:
    "Creates an API key, which works like a session and does not expire; at most 20 an account. Agents only read with it, unless agent_writes is true",
  accepts: OWN_SESSION,
  masterOnly: true,
  input: z.object({
    title: printableText(1, 255),
    /** Whether agents at `/mcp` may change something with the key; they read only by default. */
    agent_writes: z.boolean().default(false),
  }),
  output: z.object({ value: ApiKey }),
  errors: [4, 13, 268],
  answerAgain: {
    async create(rowId, _input, { db, env, principal }) {
      return { value: await toApiKey(await requireApiKey(db, principal, rowId), env) };
    },
  },
  async run({ title, agent_writes }, { db, env, principal, actor }) {
    const hash = generateHash(env);
    await insertApiKey(db, env, principal, { hash, title, agent_writes }, actor);
    return { value: { hash, create_date: actor.action_date, title, ...agentWrites(agent_writes) } };
  },
});

export const listApiKeys = operation("/api/key/list", {
  summary: "Lists the account's API keys, oldest first",
  accepts: OWN_SESSION,
  masterOnly: true,
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(ApiKey) }),
  errors: [4, 13],
  async run(_input, { db, env, principal }) {
    const rows = await selectApiKeys(db, principal);
    return { list: await Promise.all(rows.map((row) => toApiKey(row, env))) };
  },
});

export const deleteApiKey = operation("/api/key/delete", {
  summary: "Deletes an API key; calls with it are refused at once",
  accepts: OWN_SESSION,
  masterOnly: true,
  input: z.object({ key: z.string().min(1).max(255) }),
  output: z.object({}),
  errors: [4, 13, 201],
  async run({ key: hash }, { db, env, principal, actor }) {
    const key = keyOf(hash, env);
    // Refreshed even when the database did not answer: it may have deleted the key all the same.
    const ended = await removeApiKey(db, principal, key, actor).finally(() => guardOf(env, key).refresh());
    await refreshGuards(env, ended);
    return {};
  },
});

type ApiKeyRow = Awaited<ReturnType<typeof requireApiKey>>;

async function toApiKey({ sealed, created, title, agent_writes }: ApiKeyRow, env: GatewayEnv) {
  const hash = await unseal(sealed ?? "", env.ENCRYPTION_KEY);
  return { hash, create_date: created, title: title ?? "", ...agentWrites(agent_writes) };
}

function agentWrites(isPermitted: boolean): { agent_writes?: true } {
  return isPermitted ? { agent_writes: true } : {};
}

export const operations = [createApiKey, listApiKeys, deleteApiKey];
