import * as z from "zod";
import { NewTariff, TARIFF_ORDERS, Tariff } from "#shared/contract/tracker/tariff.ts";
import { toPartial } from "#shared/operation/partial.ts";
import { operation } from "../operation.ts";
import { PAGE_PARAMETERS } from "./page.ts";

export const createTariff = operation("/panel/tariff/create", {
  summary: "Creates a tariff",
  accepts: ["operator"],
  permission: ["tariffs", "create"],
  writesElsewhere: true,
  input: z.object({ tariff: NewTariff }),
  output: z.object({ id: z.int() }),
  errors: [13, 244],
  async run({ tariff }, { env, principal }) {
    return { id: await env.FLEET.createTariff(principal, tariff) };
  },
});

export const updateTariff = operation("/panel/tariff/update", {
  summary: "Changes a tariff; members left out stay",
  accepts: ["operator"],
  permission: ["tariffs", "update"],
  writesElsewhere: true,
  input: z.object({ tariff: toPartial(NewTariff.omit({ device_type: true })).extend({ id: z.int() }) }),
  output: z.object({}),
  errors: [13, 201, 244],
  async run({ tariff: { id, ...changes } }, { env, principal }) {
    await env.FLEET.updateTariff(principal, id, changes);
    return {};
  },
});

export const listTariffs = operation("/panel/tariff/list", {
  summary: "The dealer's tariffs, filtered by name, sorted and in pages",
  accepts: ["operator"],
  permission: ["tariffs", "read"],
  reads: true,
  input: z.object({
    device_type: NewTariff.shape.device_type.unwrap().optional(),
    filter: z.string().max(100).nullable().default(null),
    order_by: z.enum(TARIFF_ORDERS).default("id"),
    ascending: z.boolean().default(true),
    ...PAGE_PARAMETERS,
  }),
  output: z.object({ list: z.array(Tariff), count: z.int() }),
  errors: [13],
  async run(search, { env, principal }) {
    return env.FLEET.listTariffs(principal, search);
  },
});

export const readTariff = operation("/panel/tariff/read", {
  summary: "A tariff",
  accepts: ["operator"],
  permission: ["tariffs", "read"],
  reads: true,
  input: z.object({ tariff_id: z.int() }),
  output: z.object({ value: Tariff }),
  errors: [13, 201],
  async run({ tariff_id }, { env, principal }) {
    return { value: await env.FLEET.readTariff(principal, tariff_id) };
  },
});

export const operations = [createTariff, updateTariff, listTariffs, readTariff];
