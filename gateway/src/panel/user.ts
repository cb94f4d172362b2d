import { sql } from "drizzle-orm";
import { z } from "zod";
import { ApiError, invalid } from "#shared/api-error.ts";
import { taken } from "#shared/database.ts";
import type { Principal } from "#shared/principal.ts";
import { recording } from "../audit/record.ts";
import { dealer } from "../dealer/table.ts";
import type { GatewayEnv } from "../env.ts";
import { activationLetter } from "../mail/letter.ts";
import { ACTIVATION_MS, linkTo } from "../mail/link.ts";
import { mailRow, sendSoon } from "../mail/send.ts";
import { mail } from "../mail/table.ts";
import { operation } from "../operation.ts";
import { hashPassword } from "../password/hash.ts";
import { Password, requirePolicy } from "../password/policy.ts";
import { NO_SECOND_FACTOR } from "../second-factor/totp.ts";
import { keyOf, newHash } from "../session/hash.ts";
import { credential } from "../session/table.ts";
import { user } from "../user/table.ts";
import { changeUser } from "./change-user.ts";
import { NewUser, SettingsChanges, UserChanges, UserSettings } from "./user-schema.ts";

export const createUser = operation("/panel/user/create", {
  summary: "Creates a master user and with it an account; one not activated gets the activation mail",
  accepts: ["operator"],
  permission: ["users", "create"],
  input: UserSettings.extend({ user: NewUser, password: Password }),
  output: z.object({ id: z.int() }),
  errors: [13, 206],
  async run({ user: given, password, ...settings }, { db, env, principal, clock, request, actor }) {
    const { dealer_id } = principal;
    requirePolicy(env, password);
    await requireTariff(env, principal, settings.default_tariff_id);
    const now = clock.now();
    const insert = db
      .insert(user)
      .values({
        ...given,
        ...settings,
        default_tariff_id: settings.default_tariff_id ?? planByDefault(dealer_id),
        dealer_id,
        login_key: given.login.toLowerCase(),
        verified: given.verified ?? given.activated,
        password: await hashPassword(password),
        creation_date: now,
      })
      .returning({ id: user.id });
    // By its login: other rows come in between.
    const id = sql`(SELECT ${user.id} FROM ${user} WHERE ${user.login_key} = ${given.login.toLowerCase()})`;
    const payload = { login: given.login };
    const record = recording(db, { ...actor, account_id: id }, { is: ["user", "create"], entry_id: id, payload });
    if (given.activated) {
      const [[created]] = await db.batch([insert, record]).catch(taken(206));
      return created ?? failed();
    }
    const hash = newHash(env);
    const letter = activationLetter({ ...settings, ...given }, linkTo(request, hash));
    const [[created], , [queued]] = await db
      .batch([
        insert,
        // The id of the row that the statement before has just inserted.
        db.insert(credential).values({
          key: keyOf(hash, env),
          account_id: sql`last_insert_rowid()`,
          user_id: sql`last_insert_rowid()`,
          kind: "activation",
          created: now,
          expires_at: now + ACTIVATION_MS,
        }),
        db
          .insert(mail)
          .values(mailRow(env, { dealer_id, to: given.login, now }, letter))
          .returning(),
        record,
      ])
      .catch(taken(206));
    if (queued) await sendSoon(env, queued);
    return created ?? failed();
  },
});

export const updateUser = operation("/panel/user/update", {
  summary: "Changes a user; members left out stay. Blocked, it gets 275 at log-in and its sessions end",
  accepts: ["operator"],
  permission: ["users", "update"],
  input: SettingsChanges.extend({
    user_id: z.int(),
    user: UserChanges.default({}),
    block_status: z.enum(["NOT_BLOCKED", "BLOCK_LOGIN"]).optional(),
    /** For one who has lost the authenticator. */
    second_factor: z.literal("none").optional(),
  }),
  output: z.object({}),
  errors: [13, 201, 206],
  async run({ user_id, user: given, block_status, second_factor, ...settings }, { db, env, principal, actor }) {
    await requireTariff(env, principal, settings.default_tariff_id);
    const blocked = block_status === undefined ? undefined : block_status === "BLOCK_LOGIN";
    const login_key = given.login?.toLowerCase();
    const changes = { ...given, ...settings, ...(second_factor && NO_SECOND_FACTOR), login_key, blocked };
    await changeUser(db, env, principal, user_id, changes, actor);
    return {};
  },
});

/** The one of `panel/tariff/defaults`, if there is one. */
function planByDefault(dealer_id: number) {
  return sql`(SELECT ${dealer.tracker_defaults} ->> '$.tariff_id' FROM ${dealer} WHERE ${dealer.id} = ${dealer_id})`;
}

async function requireTariff(env: GatewayEnv, principal: Principal, id: number | null | undefined) {
  if (id === null || id === undefined || (await env.FLEET.findTariff(principal, id))) return;
  throw invalid("default_tariff_id", "is not a plan of yours");
}

function failed(): never {
  throw new ApiError(6);
}
