import * as z from "zod";
import { text } from "#shared/operation/fields.ts";
import { BLOCK_TYPES, type DealerRow } from "../../table/dealer.ts";

/** Features that a dealer may be granted. */
export const DEALER_FEATURES = [
  "branding_web",
  "branding_mobile",
  "subpaas",
  "vendor_label",
  "tracking",
  "reports",
  "fleet",
  "field_service",
  "premium_gis",
] as const;

/** A dealer as its parent dealer creates it. */
export const NewSubDealer = z.object({
  title: text(255).min(1),
  /** Also the login of its first operator. */
  email: z.email().max(255),
  jur_name: text(255).default(""),
  jur_country: text(255).default(""),
  /** The domain of its web interface. */
  link_monitoring: z.string().min(1).max(255).toLowerCase().nullable().default(null),
});
export type NewSubDealer = z.output<typeof NewSubDealer>;

export const SubDealer = z.object({
  id: z.int(),
  title: z.string(),
  email: z.string(),
  jur_name: z.string(),
  jur_country: z.string(),
  link_monitoring: z.string().nullable(),
  block_type: z.enum(BLOCK_TYPES),
  features: z.array(z.string()),
});

export function toSubDealer(row: DealerRow): z.output<typeof SubDealer> {
  const { id, title, email, jur_name, jur_country, ui_domain, block_type, features } = row;
  return {
    ...{ id, title, block_type, features },
    email: email ?? "",
    jur_name: jur_name ?? "",
    jur_country: jur_country ?? "",
    link_monitoring: ui_domain,
  };
}
