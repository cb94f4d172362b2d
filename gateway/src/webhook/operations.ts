import * as z from "zod";
import { invalid } from "#shared/error/api-error.ts";
import { seal, unseal } from "#shared/secret/seal.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
import type { GatewayEnv } from "../env.ts";
import { operation } from "../operation.ts";
import type { WebhookRow } from "../table/webhook.ts";
import {
  insertWebhook,
  removeWebhook,
  requireWebhook,
  selectWebhooks,
  toKeyColumns,
  toRotatedColumns,
  writeWebhook,
} from "./delivery/queries.ts";
import { senderOf } from "./delivery/sender-stub.ts";
import { generateKeyPair, generateSecret } from "./delivery/signature.ts";
import { ChangedWebhook, findUrlError, NewWebhook, toWebhook, Webhook } from "./schema.ts";

export const createWebhook = operation("/webhook/create", {
  summary:
    "Creates a webhook: events from now on are posted to its address. Its secret is shown only here; at most 20 an account",
  right: "webhook_update",
  input: z.object({ webhook: NewWebhook }),
  output: z.object({ id: z.int(), secret: z.string(), public_key: z.string().nullable() }),
  errors: [7, 268],
  async run({ webhook }, { db, env, principal, actor, request: { base_url } }) {
    requireFitUrl(webhook.url, env, base_url);
    const { headers, ed25519, ...members } = webhook;
    const secret = generateSecret();
    const row = await insertWebhook(
      db,
      principal,
      {
        ...members,
        headers: await seal(JSON.stringify(headers), env.ENCRYPTION_KEY),
        secret: await seal(secret, env.ENCRYPTION_KEY),
        ...(ed25519 ? await createKeys(env) : { private_key: null, public_key: null }),
        ...{ previous_secret: null, previous_until: null, disabled_reason: null },
      },
      actor,
    );
    await refreshListeners(env, principal.account_id);
    return { id: row.id, secret, public_key: row.public_key };
  },
});

export const readWebhook = operation("/webhook/read", {
  summary: "A webhook, without its secret and the values of its headers",
  right: "webhook_update",
  reads: true,
  input: z.object({ webhook_id: z.int() }),
  output: z.object({ value: Webhook }),
  errors: [201],
  async run({ webhook_id }, { db, env, principal, clock }) {
    return { value: await describeWebhook(await requireWebhook(db, principal, webhook_id), env, clock.now()) };
  },
});

export const listWebhooks = operation("/webhook/list", {
  summary: "The webhooks of the account, for a sub-user its own",
  right: "webhook_update",
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(Webhook) }),
  errors: [],
  async run(_, { db, env, principal, clock }) {
    const rows = await selectWebhooks(db, principal);
    return { list: await Promise.all(rows.map((row) => describeWebhook(row, env, clock.now()))) };
  },
});

export const updateWebhook = operation("/webhook/update", {
  summary:
    "Changes a webhook; members that are left out stay. A disabled webhook that is enabled goes on where it stopped",
  right: "webhook_update",
  input: z.object({ webhook: ChangedWebhook }),
  output: z.object({}),
  errors: [7, 201],
  async run({ webhook }, { db, env, principal, actor, request: { base_url } }) {
    if (webhook.url !== undefined) requireFitUrl(webhook.url, env, base_url);
    const { headers, ed25519, ...members } = webhook;
    const changes = {
      ...members,
      ...(headers === undefined ? {} : { headers: await seal(JSON.stringify(headers), env.ENCRYPTION_KEY) }),
      ...(ed25519 === undefined ? {} : toKeyColumns(ed25519 ? await createKeys(env) : null)),
      ...(webhook.enabled ? { disabled_reason: null } : {}),
    };
    await writeWebhook(db, principal, changes, "update", actor);
    await refreshListeners(env, principal.account_id);
    if (webhook.enabled) await senderOf(env, webhook.id).restart();
    return {};
  },
});

export const deleteWebhook = operation("/webhook/delete", {
  summary: "Deletes a webhook with its deliveries; what waits is not delivered",
  right: "webhook_update",
  input: z.object({ webhook_id: z.int() }),
  output: z.object({}),
  errors: [201],
  async run({ webhook_id }, { db, env, principal, actor }) {
    await removeWebhook(db, principal, webhook_id, actor);
    await refreshListeners(env, principal.account_id);
    // A sender that cannot be reached finds out by itself.
    await senderOf(env, webhook_id)
      .erase()
      .catch(() => undefined);
    return {};
  },
});

export const rotateSecret = operation("/webhook/secret/rotate", {
  summary:
    "Replaces the secret of a webhook, which is shown only here. Until the overlap has passed, deliveries are signed with both",
  right: "webhook_update",
  input: z.object({ webhook_id: z.int(), overlap_hours: z.int().min(0).max(168).default(24) }),
  output: z.object({ secret: z.string() }),
  errors: [201],
  async run({ webhook_id, overlap_hours }, { db, env, principal, actor, clock }) {
    const secret = generateSecret();
    const sealed = await seal(secret, env.ENCRYPTION_KEY);
    const changes = { id: webhook_id, ...toRotatedColumns(sealed, clock.now() + overlap_hours * HOUR_MS) };
    await writeWebhook(db, principal, changes, "secret_rotate", actor);
    return { secret };
  },
});

export const operations = [createWebhook, readWebhook, listWebhooks, updateWebhook, deleteWebhook, rotateSecret];

/** 7 for an address to which events must not be posted. */
function requireFitUrl(url: string, { ALLOW_PRIVATE_TARGETS, PUBLIC_URL }: GatewayEnv, base_url: string) {
  const ownHosts = [base_url, PUBLIC_URL].flatMap((own) => (own ? new URL(own).host : []));
  const error = findUrlError(url, { allowsPrivate: ALLOW_PRIVATE_TARGETS === "1", ownHosts });
  if (error) throw invalid("webhook.url", error);
}

async function describeWebhook(row: WebhookRow, env: GatewayEnv, now: number) {
  const headers: { name: string }[] = JSON.parse(await unseal(row.headers, env.ENCRYPTION_KEY));
  return toWebhook(
    row,
    headers.map(({ name }) => name),
    now,
  );
}

async function createKeys(env: GatewayEnv) {
  const { privateKey, publicKey } = generateKeyPair();
  return { private_key: await seal(privateKey, env.ENCRYPTION_KEY), public_key: publicKey };
}

/** Lets the account's object read its webhooks anew; if it cannot be reached it does so within a minute. */
async function refreshListeners(env: GatewayEnv, account_id: number) {
  await env.ACCOUNT_EVENTS.getByName(String(account_id))
    .refreshListeners()
    .catch(() => undefined);
}
