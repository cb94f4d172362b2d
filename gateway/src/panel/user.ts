import { sql } from "drizzle-orm";
import { z } from "zod";
import { ApiError, invalid } from "#shared/api-error.ts";
import { isZone } from "#shared/clock.ts";
import { taken } from "#shared/database.ts";
import { printable, text } from "#shared/fields.ts";
import { ACTIVATION_MS, activationMail } from "../mail/activation.ts";
import { mail } from "../mail/table.ts";
import { operation } from "../operation.ts";
import { hashPassword } from "../password/hash.ts";
import { keyOf, newHash } from "../session/hash.ts";
import { credential } from "../session/table.ts";
import { LEGAL_TYPES, user } from "../user/table.ts";

const address = () => text(255).default("");
const amount = () => z.int().min(0).max(1_000_000_000).optional();

/** A master user as an operator makes it. */
const NewUser = z.object({
  login: z.email().max(255),
  activated: z.boolean().default(false),
  verified: z.boolean().optional(),
  demo: z.boolean().default(false),
  first_name: text(100).default(""),
  middle_name: text(100).default(""),
  last_name: text(100).default(""),
  legal_type: z.enum(LEGAL_TYPES),
  legal_name: text(255).nullable().default(null),
  phone: z
    .string()
    .regex(/^(\d{10,15})?$/, { error: "must be 10 to 15 digits" })
    .default(""),
  tin: text(32).default(""),
  iec: text(32).nullable().default(null),
  okpo_code: text(10).nullable().default(null),
  state_reg_num: text(15).nullable().default(null),
  post_country: address(),
  post_region: address(),
  post_index: address(),
  post_city: address(),
  post_street_address: address(),
  registered_country: address(),
  registered_region: address(),
  registered_index: address(),
  registered_city: address(),
  registered_street_address: address(),
});

const Limits = z.object({
  zones: amount(),
  places: amount(),
  retranslators: amount(),
  tags: amount(),
  subusers: amount(),
  file_bytes: z.int().min(0).optional(),
});

export const createUser = operation("/panel/user/create", {
  summary: "Creates a master user and with it an account; one not activated gets the activation mail",
  accepts: ["operator"],
  permission: ["users", "create"],
  input: z.object({
    user: NewUser,
    password: printable(6, 20),
    time_zone: z.string().refine(isZone, { error: "is not a time zone" }),
    locale: z.string().regex(/^[a-z]{2,3}(_[A-Z]{2})?$/, { error: "must be language or language_COUNTRY" }),
    discount: z.record(z.string(), z.unknown()).nullable().default(null),
    default_tariff_id: z.int().nullable().default(null),
    comment: text(255).default(""),
    limits: Limits.default({}),
  }),
  output: z.object({ id: z.int() }),
  errors: [13, 206],
  async run({ user: given, password, ...settings }, { db, env, principal, clock, asked }) {
    const { dealer_id } = principal;
    const { default_tariff_id } = settings;
    if (default_tariff_id !== null && !(await env.FLEET.hasPlan(principal, default_tariff_id))) {
      throw invalid("default_tariff_id", "is not a plan of yours");
    }
    const now = clock.now();
    const insert = db
      .insert(user)
      .values({
        ...given,
        ...settings,
        dealer_id,
        login_key: given.login.toLowerCase(),
        verified: given.verified ?? given.activated,
        password: await hashPassword(password),
        creation_date: now,
      })
      .returning({ id: user.id });
    if (given.activated) {
      const [created] = await insert.catch(taken(206));
      return created ?? failed();
    }
    const hash = newHash(env);
    const [[created]] = await db
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
          .values({ dealer_id, ...activationMail(given, `${asked.base_url}/activate?hash=${hash}`), created: now }),
      ])
      .catch(taken(206));
    return created ?? failed();
  },
});

function failed(): never {
  throw new ApiError(6);
}
