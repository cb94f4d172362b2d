import * as z from "zod";
import { ANYONE } from "#shared/operation/serve.ts";
import { operation } from "../../operation.ts";
import { listZones } from "./list.ts";

export const TimeZone = z.object({
  zone_id: z.string(),
  description: z.string(),
  base_offset: z.number(),
  dst_offset: z.int(),
  country_code: z.string(),
  alt_ids: z.array(z.string()),
});

export const listTimeZones = operation("/timezone/list", {
  summary: "Time zones with their offsets, for a user's settings",
  accepts: ANYONE,
  reads: true,
  input: z.object({ locale: z.string().max(35).optional() }),
  output: z.object({
    list: z.array(TimeZone),
  }),
  errors: [],
  async run(_input, { clock }) {
    return { list: listZones(clock.now()) };
  },
});

export const operations = [listTimeZones];
