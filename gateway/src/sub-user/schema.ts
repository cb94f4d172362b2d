import * as z from "zod";
import { dateTime, text } from "#shared/operation/fields.ts";
import { toPartial } from "#shared/operation/partial.ts";
import { LEGAL_TYPES, type UserRow } from "../table/user.ts";
import { NewUser } from "../user/master/schema.ts";

const SubUserMembers = NewUser.omit({ verified: true, demo: true, okpo_code: true }).extend({
  activated: z.boolean().default(true),
  state_reg_num: text(15).default(""),
  security_group_id: z.int().nullable().default(null),
});
/** A sub-user as its master registers it: a phone is left out or has all its digits, and a company has a name. */
export const NewSubUser = SubUserMembers.extend({
  phone: z
    .string()
    .regex(/^\d{10,15}$/, { error: "must be 10 to 15 digits" })
    .default(""),
}).refine(({ legal_type, legal_name }) => legal_type !== "legal_entity" || legal_name, {
  path: ["legal_name"],
  error: "is required of a legal entity",
});

export type NewSubUser = z.output<typeof NewSubUser>;

/** Changes to a sub-user; members left out stay. */
export const SubUserChanges = toPartial(SubUserMembers).extend({
  id: z.int(),
  /** Turns the second factor off, for a user who has lost the authenticator. */
  second_factor: z.literal("none").optional(),
});
export type SubUserChanges = z.output<typeof SubUserChanges>;

export const SubUser = z.object({
  id: z.int(),
  activated: z.boolean(),
  login: z.string(),
  first_name: z.string(),
  middle_name: z.string(),
  last_name: z.string(),
  legal_type: z.enum(LEGAL_TYPES),
  phone: z.string(),
  post_country: z.string(),
  post_index: z.string(),
  post_region: z.string(),
  post_city: z.string(),
  post_street_address: z.string(),
  registered_country: z.string(),
  registered_index: z.string(),
  registered_region: z.string(),
  registered_city: z.string(),
  registered_street_address: z.string(),
  state_reg_num: z.string(),
  tin: z.string(),
  legal_name: z.string().optional(),
  iec: z.string().optional(),
  security_group_id: z.int().nullable(),
  creation_date: dateTime(),
});

export function toSubUser(row: UserRow): z.output<typeof SubUser> {
  const isCompany = row.legal_type === "legal_entity";
  return {
    id: row.id,
    activated: row.activated,
    login: row.login,
    first_name: row.first_name,
    middle_name: row.middle_name,
    last_name: row.last_name,
    legal_type: row.legal_type,
    phone: row.phone,
    post_country: row.post_country,
    post_index: row.post_index,
    post_region: row.post_region,
    post_city: row.post_city,
    post_street_address: row.post_street_address,
    registered_country: row.registered_country,
    registered_index: row.registered_index,
    registered_region: row.registered_region,
    registered_city: row.registered_city,
    registered_street_address: row.registered_street_address,
    state_reg_num: row.state_reg_num ?? "",
    tin: row.tin,
    legal_name: isCompany ? (row.legal_name ?? "") : undefined,
    iec: isCompany ? (row.iec ?? undefined) : undefined,
    security_group_id: row.security_group_id,
    creation_date: row.creation_date,
  };
}
