import { sql } from "drizzle-orm";
import { user } from "../../table/user.ts";

/** For the update that sets a password: the one that it replaces is remembered, whatever the policy is today. */
export const LAST_PASSWORDS = sql`(SELECT json_group_array(value) FROM (SELECT ${user.password} AS value
  UNION ALL SELECT value FROM (SELECT value FROM json_each(${user.last_passwords}) LIMIT 8)))`;
