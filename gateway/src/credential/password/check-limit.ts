import { Slots } from "#shared/background/slots.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { networkOf } from "../../network.ts";
import { costOf, DEFAULT_COST, type PasswordEnv } from "./hash.ts";

/**
 * Runs a log-in, which checks a password; 15 if this isolate or the address has too many under way. A check occupies the
 * isolate for 50 ms: without a limit, log-ins that come at once would keep all other calls waiting.
 */
export async function withinCheckLimit<Result>(
  env: PasswordEnv,
  address: string,
  logIn: () => Promise<Result>,
): Promise<Result> {
  const network = networkOf(address);
  if (CHECKS.areFull() || CHECKS.isShareFull(network, MAX_CHECKS_PER_NETWORK * DEFAULT_COST.N)) throw new ApiError(15);
  const taken = CHECKS.take(costOf(env).N, network);
  try {
    return await logIn();
  } finally {
    CHECKS.free(taken);
  }
}

/** Counts a log-in of an address, whatever its result; 15 above ten in ten seconds. */
export async function countLogIn({ LOG_IN_LIMIT }: { LOG_IN_LIMIT: RateLimit }, address: string): Promise<void> {
  const { success } = await LOG_IN_LIMIT.limit({ key: networkOf(address) });
  if (!success) throw new ApiError(15);
}

const MAX_CHECKS = 12;
/** Two less than all, so that one caller leaves room for others. */
const MAX_CHECKS_PER_NETWORK = 10;
/** Longer than a log-in takes whose database does not answer. */
const LAPSE_MS = 30_000;
/** Slots are units of the cost of a check, so that the cheap checks of tests may be many. */
const CHECKS = new Slots(MAX_CHECKS * DEFAULT_COST.N, LAPSE_MS);
