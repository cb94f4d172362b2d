import { z } from "zod";
import { printable } from "#shared/operation/fields.ts";

export const Credentials = z.object({
  login: z.string().max(255),
  password: printable(1, 40),
  dealer_id: z.int().optional(),
});
