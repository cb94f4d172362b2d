import * as z from "zod";
import { printableText } from "#shared/operation/fields.ts";

export const Credentials = z.object({
  login: z.string().max(255),
  password: printableText(1, 40),
  dealer_id: z.int().optional(),
});
