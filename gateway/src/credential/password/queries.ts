import { sql } from "drizzle-orm";
import { user } from "../../table/user.ts";

/** The new `last_passwords` for an update of `password`: the replaced one and up to 8 before it, under every policy. */
export const LAST_PASSWORDS = sql`(SELECT json_group_array(value) FROM (SELECT ${user.password} AS value
  UNION ALL SELECT value FROM (SELECT value FROM json_each(${user.last_passwords}) LIMIT 8)))`;
