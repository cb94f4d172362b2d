import * as z from "zod";
import { dateTime, text } from "#shared/operation/fields.ts";
import { operation } from "../operation.ts";
import { PAGE_PARAMETERS } from "./page.ts";

export const listEquipment = operation("/panel/equipment/list", {
  summary: "The kinds of devices that may be imported as bundles",
  accepts: ["operator"],
  permission: ["tracker_bundles", "read"],
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(z.object({ id: z.int(), name: z.string(), model: z.string() })) }),
  errors: [13],
  async run(_input, { env }) {
    return { list: await env.FLEET.listEquipment() };
  },
});

const Imei = z.string().regex(/^\d{15}$/, { error: "must be 15 digits" });

export const importBundles = operation("/panel/tracker/bundle/import", {
  summary: "Imports devices that the dealer sells, for users to register by IMEI; at most 1000 a call",
  accepts: ["operator"],
  permission: ["tracker_bundles", "create"],
  writesElsewhere: true,
  input: z.object({
    imeis: z
      .array(Imei)
      .min(1)
      .max(1000)
      .refine((imeis) => new Set(imeis).size === imeis.length, { error: "must not contain duplicates" }),
    equip_id: z.int(),
    factory_preset: text(255).nullable().default(null),
  }),
  output: z.object({}),
  errors: [13, 204, 247],
  async run(bundles, { env, principal, clock }) {
    await env.FLEET.importBundles(principal, bundles, clock.now());
    return {};
  },
});

export const createCodes = operation("/panel/dealer/activation_code/create", {
  summary: "Creates activation codes for one device each, with a tariff and free days; at most 1000 a call",
  accepts: ["operator"],
  permission: ["activation_code", "create"],
  writesElsewhere: true,
  input: z.object({
    count: z.int().min(1).max(1000),
    tariff_id: z.int(),
    bonus_amount: z.number().min(0).max(1_000_000).default(0),
    free_days: z.int().min(0).max(3660).default(0),
  }),
  output: z.object({ count: z.int() }),
  errors: [13, 201],
  async run(codes, { env, principal, clock }) {
    return { count: await env.FLEET.createCodes(principal, codes, clock.now()) };
  },
});

export const ActivationCode = z.object({
  id: z.int(),
  code: z.string(),
  tariff_id: z.int(),
  bonus_amount: z.number(),
  free_days: z.int(),
  created: dateTime(),
  /** When the code was used; null if it is unused. */
  used: dateTime().nullable(),
  user_id: z.int().nullable(),
});

export const listCodes = operation("/panel/dealer/activation_code/list", {
  summary: "The dealer's activation codes with the users that used them, oldest first, in pages",
  accepts: ["operator"],
  permission: ["activation_code", "read"],
  reads: true,
  input: z.object({ used: z.boolean().nullable().default(null), ...PAGE_PARAMETERS }),
  output: z.object({ list: z.array(ActivationCode), count: z.int() }),
  errors: [13],
  async run(search, { env, principal }) {
    return env.FLEET.listCodes(principal, search);
  },
});

export const operations = [listEquipment, importBundles, createCodes, listCodes];
