import { z } from "zod";

export const Application = z.string().min(1).max(64);

const Name = z.string().min(1).max(64);
const MenuItem = z.object({
  name: Name,
  items: z
    .array(z.object({ name: Name }))
    .max(50)
    .optional(),
});
const Items = z.array(MenuItem).max(50);

/** What an application shows where, by names that it knows. */
export const Menu = z.object({
  application: Application,
  account_menu: Items,
  main_menu: Items,
  footer_menu: Items,
});
export type Menu = z.output<typeof Menu>;
