import * as z from "zod";
import type { Menu as MenuRow } from "../../table/menu.ts";

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

export const Menu = z.object({
  application: Application,
  account_menu: Items,
  main_menu: Items,
  footer_menu: Items,
}) satisfies z.ZodType<MenuRow>;
