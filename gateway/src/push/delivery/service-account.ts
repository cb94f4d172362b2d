import { importPKCS8, SignJWT } from "jose";
import { isObject } from "#shared/body/json.ts";
import { systemNow } from "#shared/time/clock.ts";
import type { GatewayEnv } from "../../env.ts";

/** Of the file that the service gives out for who may send: those of its members that are needed. */
export type ServiceAccount = { project_id: string; client_email: string; private_key: string; token_uri: string };

/** Undefined where none is configured. */
export function serviceAccountOf({ FCM_SERVICE_ACCOUNT }: Pick<GatewayEnv, "FCM_SERVICE_ACCOUNT">) {
  if (!FCM_SERVICE_ACCOUNT) return undefined;
  if (read?.text !== FCM_SERVICE_ACCOUNT)
    read = { text: FCM_SERVICE_ACCOUNT, account: readAccount(FCM_SERVICE_ACCOUNT) };
  return read.account;
}

/** A token for its calls: asked for once an hour, as RFC 7523 says. It throws where none is to be had. */
export async function accessToken(account: ServiceAccount, now: () => number = systemNow): Promise<string> {
  if (granted?.account === account && now() < granted.until) return granted.token;
  const key = await importPKCS8(account.private_key, "RS256");
  const assertion = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: "RS256", typ: "JWT" })
    .setIssuer(account.client_email)
    .setAudience(account.token_uri)
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(key);
  const body = new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion });
  const request = { method: "POST", body, redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS) } as const;
  const answer = await fetch(account.token_uri, request);
  const reply = await answer.json();
  if (!answer.ok || !isObject(reply) || typeof reply.access_token !== "string")
    throw new Error(`no token for push notifications: status ${answer.status}`);
  const lifeMs = Number(reply.expires_in ?? 0) * 1000;
  granted = { account, token: reply.access_token, until: now() + lifeMs - EARLY_MS };
  return granted.token;
}

/** It was not taken: the next one is asked for anew. */
export function forgetAccessToken() {
  granted = undefined;
}

function readAccount(text: string): ServiceAccount {
  const { project_id, client_email, private_key, token_uri } = JSON.parse(text);
  const members = { project_id, client_email, private_key, token_uri };
  for (const [name, value] of Object.entries(members))
    if (typeof value !== "string") throw new Error(`FCM_SERVICE_ACCOUNT has no ${name}`);
  return members;
}

let read: { text: string; account: ServiceAccount } | undefined;
let granted: { account: ServiceAccount; token: string; until: number } | undefined;
const SCOPE = "https://www.googleapis.com/auth/firebase.messaging";
const PATIENCE_MS = 10_000;
const EARLY_MS = 60_000;
