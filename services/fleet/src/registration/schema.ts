import * as z from "zod";
import { Label } from "#shared/contract/tracker/tracker.ts";

const Phone = z.string().regex(/^(\d{5,15})?$/, { error: "must be digits without a plus sign" });

export const NewTracker = z.object({
  label: Label,
  group_id: z.int().default(0),
  model: z.string().max(64),
  plugin_id: z.int(),
  device_id: z.string().max(64).optional(),
  send_register_commands: z.boolean().nullable().default(null),
  phone: Phone.nullable().default(null),
  apn_name: z.string().max(40).optional(),
  apn_user: z.string().max(40).optional(),
  apn_password: z.string().max(40).optional(),
  activation_code: z.string().max(64).nullable().default(null),
  notification_email: z.string().max(100).optional(),
  notification_phone: z.string().max(32).optional(),
});
export const QuickTracker = z.object({
  label: Label,
  group_id: z.int().default(0),
  imei: z.string().regex(/^\d{15}$/, { error: "must be 15 digits" }),
});
export type NewTracker = z.output<typeof NewTracker>;
