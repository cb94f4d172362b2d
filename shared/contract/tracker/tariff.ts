import * as z from "zod";
import { HOUR_MS } from "../../time/duration.ts";

/** Features beyond the basic ones; declarations of operations say which they need. */
export const FEATURES = [
  "multilevel_access",
  "retranslation",
  "app_fleet",
  "app_tasks",
  "driver_journal",
  "checkin",
  "statuses",
  "routing",
  "chat",
  "weblocator",
  "map_layers",
] as const;
export type Feature = (typeof FEATURES)[number];

/** `exclusion` true excludes the values; false allows only these. */
const Filter = z.object({ exclusion: z.boolean(), values: z.array(z.string().max(64)).max(100) });

/** A tariff as an operator creates it. */
export const NewTariff = z.object({
  name: z.string().min(1).max(255),
  group_id: z.int().min(0).default(0),
  active: z.boolean().default(true),
  type: z.enum(["monthly", "everyday", "activeday"]).default("monthly"),
  price: z.number().min(0).default(0),
  early_change_price: z.number().min(0).default(0),
  device_limit: z.int().min(0).default(1000),
  has_reports: z.boolean().default(true),
  store_period: z
    .string()
    .regex(/^[1-9]\d{0,3}[hdmy]$/, { error: "must be a number and h, d, m or y" })
    .default("3m"),
  device_type: z.enum(["tracker", "camera", "socket"]).default("tracker"),
  proportional_charge: z.boolean().default(false),
  service_prices: z.record(z.string().max(64), z.number().min(0)).default({}),
  features: z.array(z.enum(FEATURES)).max(100).default([]),
  map_filter: Filter.default({ exclusion: true, values: [] }),
});
export type NewTariff = z.output<typeof NewTariff>;

/** A tariff in an answer of the API. */
export const Tariff = NewTariff.extend({ id: z.int() });
export type Tariff = z.output<typeof Tariff>;

export const TARIFF_ORDERS = ["id", "name", "price", "device_limit"] as const;
/** An operator's search for tariffs. */
export type TariffSearch = {
  device_type?: NewTariff["device_type"];
  filter: string | null;
  order_by: (typeof TARIFF_ORDERS)[number];
  ascending: boolean;
  offset: number;
  limit: number;
};

/** The start of a storage period that ends now: `1y` is the same day a year ago. */
export function storedSince(storePeriod: string, nowMs: number): number {
  const count = Number(storePeriod.slice(0, -1));
  const since = new Date(nowMs);
  switch (storePeriod.at(-1)) {
    case "h":
      return nowMs - count * HOUR_MS;
    case "d":
      return nowMs - count * 24 * HOUR_MS;
    case "m":
      return since.setUTCMonth(since.getUTCMonth() - count);
    default:
      return since.setUTCFullYear(since.getUTCFullYear() - count);
  }
}
