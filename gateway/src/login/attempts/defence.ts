import { ApiError, type ErrorCode } from "#shared/error/api-error.ts";
import { keyOf } from "../../credential/hash.ts";
import type { GatewayEnv } from "../../env.ts";
import { networkOf } from "../../network.ts";
import type { FailureCounter, Outcome } from "./failure-counter.ts";

/** `limit`: the most failures in 15 minutes. `address`: that of an attempt, and its own limit, see `FailureCounter`. */
type FailureLimit = { counter: FailureCounter; limit: number; address?: { key: string; limit: number } };

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
 * login from anywhere. The last does not apply to addresses that gave the right password before, so attackers cannot lock a
 * user out.
 */
export function createLoginDefence(env: GatewayEnv, login: string, address: string) {
  const name = login.toLowerCase();
  const network = networkOf(address);
  const limits: FailureLimit[] = [
    { counter: counterOf(env, `address:${network}`), limit: Number(env.ADDRESS_FAILURES) },
    {
      counter: counterOf(env, `login:${name}`),
      limit: Number(env.LOGIN_FAILURES_TOTAL),
      address: { key: keyOf(`place:${network}`, env), limit: Number(env.LOGIN_FAILURES) },
    },
  ];
  return {
    /** Runs the check of a password within the limits; 102 if it answers undefined, which counts as a failure. */
    check: <Result>(check: () => Promise<Result | undefined>) => countIfWrong(limits, 102, check),
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
  const begun = await Promise.all(
    limits.map(({ counter, limit, address }) => counter.beginAttempt(limit, address?.key, address?.limit)),
  );
  let outcome: Outcome = "unknown";
  try {
    if (begun.includes("limit")) throw new ApiError(105);
    if (begun.includes("busy")) throw new ApiError(15);
    const result = await check();
    outcome = result === undefined ? "wrong" : "right";
    if (result === undefined) throw new ApiError(code);
    return result;
  } finally {
    await Promise.all(
      limits.map(({ counter, address }, index) => {
        const attempt = begun[index];
        return typeof attempt === "number" ? counter.endAttempt(attempt, outcome, address?.key) : undefined;
      }),
    );
  }
}

/** The object that counts a subject's failures. Its name is a keyed hash, which reveals neither login nor address. */
function counterOf(env: GatewayEnv, subject: string): FailureCounter {
  return env.LOGIN_ATTEMPTS.getByName(keyOf(subject, env));
}
