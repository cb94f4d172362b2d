import * as z from "zod";
import { POLICIES, policyOf } from "../credential/password/policy.ts";
import type { GatewayEnv } from "../env.ts";
import { vapidPublicKeyOf } from "../push/vapid.ts";

/** Limits of the installation for clients to know in advance; calls above them get 211, 212 or 271. */
export const Platform = z.object({
  iso_datetime_support: z.boolean(),
  "history.max_limit": z.int(),
  "report.max_time_span": z.string().optional(),
  "stats.max_allowed_trackers": z.int(),
  "stats.max_time_span": z.string().optional(),
  "proposals.max_time_span": z.string().optional(),
  "file_storage.hard_max_file_size": z.int(),
  "push.vapid_public_key": z.string(),
  "password.policy": z.enum(POLICIES),
  "form.max_fields_count": z.int(),
  "form.file_field.max_file_size": z.int(),
  "form.file_field.max_files_per_field": z.int(),
  "form.file_field.max_count": z.int(),
});

export function platformOf(
  env: Pick<GatewayEnv, "MAX_SPANS" | "PASSWORD_POLICY" | "VAPID_PRIVATE_KEY">,
): z.output<typeof Platform> {
  // Spans that the variable does not name are unlimited.
  const spans: Partial<Record<"reports" | "stats" | "proposals", string>> = JSON.parse(env.MAX_SPANS);
  return {
    iso_datetime_support: true,
    "history.max_limit": 1000,
    "report.max_time_span": spans.reports,
    "stats.max_allowed_trackers": 128,
    "stats.max_time_span": spans.stats,
    "proposals.max_time_span": spans.proposals,
    "file_storage.hard_max_file_size": MAX_FILE_BYTES,
    "push.vapid_public_key": vapidPublicKeyOf(env),
    "password.policy": policyOf(env),
    "form.max_fields_count": 128,
    "form.file_field.max_file_size": MAX_FILE_BYTES,
    "form.file_field.max_files_per_field": 6,
    "form.file_field.max_count": 16,
  };
}

const MAX_FILE_BYTES = 16 * 1024 * 1024;
