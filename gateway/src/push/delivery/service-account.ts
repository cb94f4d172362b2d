import { importPKCS8, SignJWT } from "jose";
import { isObject } from "#shared/body/json.ts";
import { systemNow } from "#shared/time/clock.ts";
import type { GatewayEnv } from "../../env.ts";

/** The needed members of a Google service account's key file. */
export type ServiceAccount = { project_id: string; client_email: string; private_key: string; token_uri: string };

/** The service account of the installation; undefined without `FCM_SERVICE_ACCOUNT`. */
export function serviceAccountOf({ FCM_SERVICE_ACCOUNT }: Pick<GatewayEnv, "FCM_SERVICE_ACCOUNT">) {
  if (!FCM_SERVICE_ACCOUNT) return undefined;
  if (cachedAccount?.text !== FCM_SERVICE_ACCOUNT)
    cachedAccount = { text: FCM_SERVICE_ACCOUNT, account: parseAccount(FCM_SERVICE_ACCOUNT) };
  return cachedAccount.account;
}

/** An access token by RFC 7523, requested about once an hour; throws if the service refuses it. */
export async function getAccessToken(account: ServiceAccount, now: () => number = systemNow): Promise<string> {
  if (cachedToken?.account === account && now() < cachedToken.until) return cachedToken.token;
  const key = await importPKCS8(account.private_key, "RS256");
  const assertion = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: "RS256", typ: "JWT" })
    .setIssuer(account.client_email)
    .setAudience(account.token_uri)
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(key);
  const body = new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion });
  const request = { method: "POST", body, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
  const answer = await fetch(account.token_uri, request);
  const reply = await answer.json();
  if (!answer.ok || !isObject(reply) || typeof reply.access_token !== "string")
    throw new Error(`no token for push notifications: status ${answer.status}`);
  const lifeMs = Number(reply.expires_in ?? 0) * 1000;
  cachedToken = { account, token: reply.access_token, until: now() + lifeMs - RENEWAL_LEAD_MS };
  return cachedToken.token;
}

/** Drops a token that FCM refused, so that the next call requests a new one. */
export function forgetAccessToken() {
  cachedToken = undefined;
}

function parseAccount(text: string): ServiceAccount {
  const { project_id, client_email, private_key, token_uri } = JSON.parse(text);
  const members = { project_id, client_email, private_key, token_uri };
  for (const [name, value] of Object.entries(members))
    if (typeof value !== "string") throw new Error(`FCM_SERVICE_ACCOUNT has no ${name}`);
  return members;
}

let cachedAccount: { text: string; account: ServiceAccount } | undefined;
let cachedToken: { account: ServiceAccount; token: string; until: number } | undefined;
const SCOPE = "https://www.googleapis.com/auth/firebase.messaging";
const TIMEOUT_MS = 10_000;
const RENEWAL_LEAD_MS = 60_000;
