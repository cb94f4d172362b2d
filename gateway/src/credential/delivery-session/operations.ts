import * as z from "zod";
import { ApiError } from "#shared/error/api-error.ts";
import { unseal } from "#shared/secret/seal.ts";
import { operation } from "../../operation.ts";
import { refreshGuards } from "../guard/refresh.ts";
import { generateHash } from "../hash.ts";
import { replaceDeliverySession, requireDeliverySession } from "./queries.ts";

export const createDeliverySession = operation("/user/session/delivery/create", {
  summary:
    "Creates a public key for a page that follows deliveries; it does not expire, and the previous key ends at once",
  masterOnly: true,
  feature: "app_tasks",
  input: z.object({}),
  output: z.object({ value: z.string() }),
  errors: [13, 101, 236],
  async run(_input, { db, env, principal, actor }) {
    if (!(await env.FLEET.isFeatureOffered(principal, "app_tasks"))) throw new ApiError(236);
    const value = generateHash(env);
    await refreshGuards(env, await replaceDeliverySession(db, env, principal, value, actor));
    return { value };
  },
});

export const readDeliverySession = operation("/user/session/delivery/read", {
  summary: "The account's public key for following deliveries",
  right: "delivery_session_create",
  reads: true,
  input: z.object({}),
  output: z.object({ value: z.string() }),
  errors: [13, 201],
  async run(_input, { db, env, principal }) {
    return { value: await unseal(await requireDeliverySession(db, principal), env.ENCRYPTION_KEY) };
  },
});

export const operations = [createDeliverySession, readDeliverySession];
