import type { GatewayEnv } from "../../env.ts";
import { failureCount } from "./defence.ts";

/** Wrong codes of a user, in however many log-ins. */
export function failuresOf(env: GatewayEnv, user_id: number) {
  return failureCount(env, `code:${user_id}`, FAILURES_PER_USER);
}

/** Within a quarter of an hour: a chance of one in thirty thousand to guess right, in eleven thousand where three codes are. */
const FAILURES_PER_USER = 30;
