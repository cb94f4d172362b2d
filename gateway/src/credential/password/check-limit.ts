import { Slots } from "#shared/background/slots.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { costOf, DEFAULT_COST, type PasswordEnv } from "./hash.ts";

/**
 * Runs a log-in, which checks a password; 15 if this isolate has too many under way. A check occupies the isolate for 50
 * ms: without a limit, log-ins that come at once would keep all other calls waiting.
 */
export async function withinCheckLimit<Result>(env: PasswordEnv, logIn: () => Promise<Result>): Promise<Result> {
  if (CHECKS.areFull()) throw new ApiError(15);
  const taken = CHECKS.take(costOf(env).N);
  try {
    return await logIn();
  } finally {
    CHECKS.free(taken);
  }
}

const MAX_CHECKS = 12;
/** Longer than a log-in takes whose database does not answer. */
const LAPSE_MS = 30_000;
/** Slots are units of the cost of a check, so that the cheap checks of tests may be many. */
const CHECKS = new Slots(MAX_CHECKS * DEFAULT_COST.N, LAPSE_MS);
