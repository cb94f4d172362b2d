import type { GatewayEnv } from "../../env.ts";
import { limitFailures } from "./defence.ts";

/** Counts wrong codes of a user over all of its log-ins. */
export function codeFailuresOf(env: GatewayEnv, user_id: number) {
  return limitFailures(env, `code:${user_id}`, MAX_FAILURES_PER_USER);
}

/** In 15 minutes. The chance to guess a code is 1:33,000; 1:11,000 for TOTP, where three codes are valid at a time. */
const MAX_FAILURES_PER_USER = 30;
