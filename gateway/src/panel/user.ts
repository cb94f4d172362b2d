import * as z from "zod";
import type { Principal } from "#shared/caller/principal.ts";
import { invalid } from "#shared/error/api-error.ts";
import { generateHash, keyOf } from "../credential/hash.ts";
import { hashPassword } from "../credential/password/hash.ts";
import { Password, requirePolicy } from "../credential/password/policy.ts";
import type { GatewayEnv } from "../env.ts";
import { NO_SECOND_FACTOR } from "../login/second-factor/totp.ts";
import { toActivationLetter } from "../mail/letter.ts";
import { toMailedLink } from "../mail/link.ts";
import { sendAfterAnswer, toMailRow } from "../mail/send.ts";
import { operation } from "../operation.ts";
import { deliverTimeZonesLater } from "../user/account-zone/deliver.ts";
import { changeUser, insertUser } from "../user/master/queries.ts";
import { NewUser, SettingsChanges, UserChanges, UserSettings } from "../user/master/schema.ts";

export const createUser = operation("/panel/user/create", {
  summary: "Creates a master user and its account; a user that is not activated gets the activation mail",
  accepts: ["operator"],
  permission: ["users", "create"],
  input: UserSettings.extend({ user: NewUser, password: Password }),
  output: z.object({ id: z.int() }),
  errors: [13, 206],
  async run({ user, password, ...settings }, { db, env, principal, clock, request, actor }) {
    const { dealer_id } = principal;
    requirePolicy(env, password);
    await requireTariff(env, principal, settings.default_tariff_id);
    const now = clock.now();
    const row = {
      ...user,
      ...settings,
      dealer_id,
      login_key: user.login.toLowerCase(),
      verified: user.verified ?? user.activated,
      password: await hashPassword(password, env),
      creation_date: now,
    };
    const hash = generateHash(env);
    const letter = toActivationLetter({ ...settings, ...user }, toMailedLink(request, hash));
    const link = { key: keyOf(hash, env), letter: toMailRow(env, { dealer_id, to: user.login, now }, letter) };
    const { id, queued } = await insertUser(db, row, actor, user.activated ? undefined : link);
    if (queued) await sendAfterAnswer(env, queued);
    return { id };
  },
});

export const updateUser = operation("/panel/user/update", {
  summary: "Changes a user; members left out stay. A blocked user gets 275 at log-in, and its sessions end",
  accepts: ["operator"],
  permission: ["users", "update"],
  input: SettingsChanges.extend({
    user_id: z.int(),
    user: UserChanges.default({}),
    block_status: z.enum(["NOT_BLOCKED", "BLOCK_LOGIN"]).optional(),
    /** Turns the second factor off, for a user who has lost the authenticator. */
    second_factor: z.literal("none").optional(),
  }),
  output: z.object({}),
  errors: [13, 201, 206],
  async run({ user_id, user, block_status, second_factor, ...settings }, { db, env, principal, actor }) {
    await requireTariff(env, principal, settings.default_tariff_id);
    const blocked = block_status === undefined ? undefined : block_status === "BLOCK_LOGIN";
    const login_key = user.login?.toLowerCase();
    const changes = { ...user, ...settings, ...(second_factor && NO_SECOND_FACTOR), login_key, blocked };
    await changeUser(db, env, principal, user_id, changes, actor);
    if (changes.time_zone !== undefined) await deliverTimeZonesLater(env);
    return {};
  },
});

export const operations = [createUser, updateUser];

async function requireTariff(env: GatewayEnv, principal: Principal, id: number | null | undefined) {
  if (id === null || id === undefined || (await env.FLEET.findTariff(principal, id))) return;
  throw invalid("default_tariff_id", "is not a tariff of yours");
}
