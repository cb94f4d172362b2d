import * as z from "zod";
import { printableText } from "#shared/operation/fields.ts";
import { PUSH_APPLICATIONS } from "../table/push/push-token.ts";
import { isCategoryFilter } from "./categories.ts";

const keyText = () => z.string().regex(/^[\w-]{1,255}={0,2}$/, { error: "must be base64url" });

export const NewPushToken = z.object({
  application: z.enum(PUSH_APPLICATIONS),
  token: printableText(1, 2048),
  parameters: z.object({ p256dh: keyText(), auth: keyText() }).nullable().default(null),
  category_filter: z
    .string()
    .max(255)
    .refine(isCategoryFilter, { error: "must be *, or categories with commas between, or a minus sign before them" })
    .default("*"),
});
export type NewPushToken = z.output<typeof NewPushToken>;
