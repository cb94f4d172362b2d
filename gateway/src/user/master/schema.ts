import * as z from "zod";
import type { Limited } from "#shared/caller/principal.ts";
import { text } from "#shared/operation/fields.ts";
import { toPartial } from "#shared/operation/partial.ts";
import { isZone } from "#shared/time/clock.ts";
import { LEGAL_TYPES } from "../../table/user.ts";
import { addressFields } from "../settings/address-fields.ts";

const amount = () => z.int().min(0).max(1_000_000_000).optional();

/** A master as an operator creates it. */
export const NewUser = z.object({
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
  ...addressFields(text(255).default("")),
});

/** Limits of an account that replace the installation's. */
export const Limits = z.object({
  vehicles: amount(),
  employees: amount(),
  departments: amount(),
  tasks: amount(),
  schedules: amount(),
  service_tasks: amount(),
  form_templates: amount(),
  checkins: amount(),
  security_groups: amount(),
  garages: amount(),
  rules: amount(),
  /** Per day. */
  mails: amount(),
  zones: amount(),
  places: amount(),
  retranslators: amount(),
  tags: amount(),
  subusers: amount(),
  file_bytes: z.int().min(0).optional(),
} satisfies Record<Limited, z.ZodType>);

/** Settings of a user that its operator sets. */
export const UserSettings = z.object({
  time_zone: z.string().refine(isZone, { error: "is not a time zone" }),
  locale: z.string().regex(/^[a-z]{2,3}(_[A-Z]{2})?$/, { error: "must be language or language_COUNTRY" }),
  discount: z.record(z.string(), z.unknown()).nullable().default(null),
  default_tariff_id: z.int().nullable().default(null),
  comment: text(255).default(""),
  limits: Limits.default({}),
});

/** Changes to a user; members left out stay. The legal type cannot change. */
export const UserChanges = toPartial(NewUser.omit({ legal_type: true, activated: true }));
export const SettingsChanges = toPartial(UserSettings);
