import { ApiError } from "#shared/error/api-error.ts";
import { keyOf } from "../../credential/hash.ts";
import type { GatewayEnv } from "../../env.ts";

/** Counts wrong answers to one question; the limit is for the quarter of an hour before. */
export function limitFailures(env: GatewayEnv, question: string, limit: number) {
  const attempts = attemptsOf(env, question);
  return {
    isLimitReached: async () => (await attempts.countFailures()) >= limit,
    /** One more; the answer is whether it is one too many, so that many at once get no further than as many in a row. */
    addFailure: async () => (await attempts.addFailure()) >= limit,
  };
}

/**
 * Refuses with 105 who failed too often within the last 15 minutes: a login from one address, an address, or a login from
 * anywhere, but not for an address from which it has been logged in lately: nobody is to shut others out.
 */
export function createLoginDefence(env: GatewayEnv, login: string, address: string) {
  const name = login.toLowerCase();
  const attempts = attemptsOf(env, `login:${name}`);
  const addressKey = keyOf(`place:${address}`, env);
  const byLogin = limitFailures(env, `login:${name}`, Number(env.LOGIN_FAILURES_TOTAL));
  const byBoth = limitFailures(env, `login:${name} from ${address}`, Number(env.LOGIN_FAILURES));
  const byAddress = limitFailures(env, `address:${address}`, Number(env.ADDRESS_FAILURES));
  return {
    /** Before the password is looked at. */
    async admit() {
      const [both, there, everywhere] = await Promise.all([
        byBoth.isLimitReached(),
        byAddress.isLimitReached(),
        byLogin.isLimitReached(),
      ]);
      if (both || there || (everywhere && !(await attempts.knowsAddress(addressKey)))) throw new ApiError(105);
    },
    /** Counts a wrong password; many tries at once get no further than as many in a row. */
    async refuse(): Promise<never> {
      const [both, there, everywhere] = await Promise.all([
        byBoth.addFailure(),
        byAddress.addFailure(),
        byLogin.addFailure(),
      ]);
      const isShut = both || there || (everywhere && !(await attempts.knowsAddress(addressKey)));
      throw new ApiError(isShut ? 105 : 102);
    },
    /** Where it succeeded, it is known. */
    remember: () => attempts.rememberAddress(addressKey),
  };
}

/** Object names are keyed hashes: they show no login and no address. */
function attemptsOf(env: GatewayEnv, question: string) {
  return env.LOGIN_ATTEMPTS.getByName(keyOf(question, env));
}
