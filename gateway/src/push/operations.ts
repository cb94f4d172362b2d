import * as z from "zod";
import { invalid } from "#shared/error/api-error.ts";
import { ANYONE } from "#shared/operation/serve.ts";
import { isEndpoint } from "../endpoint.ts";
import { operation } from "../operation.ts";
import { bindToken, deleteToken } from "./queries.ts";
import { reachableApplicationsOf } from "./reachable-applications.ts";
import { NewPushToken } from "./schema.ts";
import { vapidPublicKeyOf } from "./vapid.ts";

const SESSIONS = ["session", "delegated"] as const;

/** The public half of the key that signs notifications. */
export const readVapidKey = operation("/push/vapid", {
  summary: "The installation's public key for subscriptions to web push",
  accepts: ANYONE,
  reads: true,
  input: z.object({}),
  output: z.object({ value: z.string() }),
  errors: [],
  async run(_input, { env }) {
    return { value: vapidPublicKeyOf(env) };
  },
});

export const bindPushToken = operation("/user/session/push_token/bind", {
  summary:
    "Binds a push token to the session in place of the previous one, until the session ends. `delivery` is `none` if the installation does not send to the application",
  accepts: SESSIONS,
  input: NewPushToken,
  output: z.object({ delivery: z.literal("none").optional() }),
  errors: [4],
  async run(input, { db, env, principal, clock }) {
    const isWebPush = input.application === "w3c_pushapi";
    if (isWebPush && !isEndpoint(input.token, env.ALLOW_PRIVATE_TARGETS === "1"))
      throw invalid("token", "must be a URL with https, and of the Internet");
    if (isWebPush && !input.parameters) throw invalid("parameters", "is required for w3c_pushapi");
    await bindToken(db, principal, { ...input, parameters: isWebPush ? input.parameters : null }, clock.now());
    return reachableApplicationsOf(env).includes(input.application) ? {} : { delivery: "none" as const };
  },
});

export const deletePushToken = operation("/user/session/push_token/delete", {
  summary: "Ends the session's notifications",
  accepts: SESSIONS,
  input: z.object({}),
  output: z.object({}),
  errors: [4],
  async run(_input, { db, principal }) {
    await deleteToken(db, principal);
    return {};
  },
});

export const operations = [readVapidKey, bindPushToken, deletePushToken];
