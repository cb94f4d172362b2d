import type { GatewayEnv } from "../../env.ts";
import { limitFailures } from "./defence.ts";

/** Wrong codes of a user, in however many log-ins. */
export function codeFailuresOf(env: GatewayEnv, user_id: number) {
  return limitFailures(env, `code:${user_id}`, MAX_FAILURES_PER_USER);
}

/** Within a quarter of an hour: a chance of one in thirty thousand to guess right, in eleven thousand where three codes are. */
const MAX_FAILURES_PER_USER = 30;
