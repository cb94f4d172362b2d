import { ApiError, type ErrorCode } from "#shared/error/api-error.ts";
import { keyOf } from "../../credential/hash.ts";
import type { GatewayEnv } from "../../env.ts";
import { networkOf } from "../../network.ts";
import type { FailureCounter } from "./failure-counter.ts";

/** `limit`: the most failures in 15 minutes; it does not apply to the `address`, if the login has succeeded from it. */
type FailureLimit = { counter: FailureCounter; limit: number; address?: string };

/** Counts failures of one subject, such as a user's codes. `limit` is for the last 15 minutes. */
export function limitFailures(env: GatewayEnv, subject: string, limit: number) {
  const counter = counterOf(env, subject);
  return {
    isLimitReached: async () => (await counter.countFailures()) >= limit,
    /** Counts a failure; true if the limit was reached before it. Concurrent failures get no further than sequential ones. */
    addFailure: async () => (await counter.addFailure()) >= limit,
    /** Runs a check within the limit; see `countIfWrong`. */
    check: <Result>(code: ErrorCode, check: () => Promise<Result | undefined>) =>
      countIfWrong([{ counter, limit }], code, check),
  };
}

/**
 * Refuses log-ins with 105 after too many failures in 15 minutes: of a login from one address, of an address, or of a
 * login from anywhere. The last does not apply to addresses of its recent log-ins, so attackers cannot lock a user out.
 */
export function createLoginDefence(env: GatewayEnv, login: string, address: string) {
  const name = login.toLowerCase();
  const network = networkOf(address);
  const counter = counterOf(env, `login:${name}`);
  const addressKey = keyOf(`place:${network}`, env);
  const limits = [
    { counter: counterOf(env, `login:${name} from ${network}`), limit: Number(env.LOGIN_FAILURES) },
    { counter: counterOf(env, `address:${network}`), limit: Number(env.ADDRESS_FAILURES) },
    { counter, limit: Number(env.LOGIN_FAILURES_TOTAL), address: addressKey },
  ];
  return {
    /** Runs the check of a password within the limits; 102 if it answers undefined, which counts as a failure. */
    check: <Result>(check: () => Promise<Result | undefined>) => countIfWrong(limits, 102, check),
    /** Remembers the address of a successful log-in. */
    remember: () => counter.rememberAddress(addressKey),
  };
}

/**
 * Runs a check that answers undefined for a wrong password or code: it then counts as a failure, and `code` is thrown. It
 * counts before it runs, so that guesses at once get no further than one after the other; an error gives it back.
 */
async function countIfWrong<Result>(
  limits: FailureLimit[],
  code: ErrorCode,
  check: () => Promise<Result | undefined>,
): Promise<Result> {
  const begun = await Promise.all(limits.map(({ counter, limit, address }) => counter.beginAttempt(limit, address)));
  let isFailure = false;
  try {
    if (begun.includes("limit")) throw new ApiError(105);
    if (begun.includes("busy")) throw new ApiError(15);
    const result = await check();
    isFailure = result === undefined;
    if (result === undefined) throw new ApiError(code);
    return result;
  } finally {
    await Promise.all(
      begun.map((attempt, index) =>
        typeof attempt === "number" ? limits[index]?.counter.endAttempt(attempt, isFailure) : undefined,
      ),
    );
  }
}

/** The object that counts a subject's failures. Its name is a keyed hash, which reveals neither login nor address. */
function counterOf(env: GatewayEnv, subject: string): FailureCounter {
  return env.LOGIN_ATTEMPTS.getByName(keyOf(subject, env));
}
