import { ApiError } from "#shared/error/api-error.ts";
import { keyOf } from "../../credential/hash.ts";
import type { GatewayEnv } from "../../env.ts";

/** Counts wrong answers to one question; the limit is for the quarter of an hour before. */
export function failureCount(env: GatewayEnv, question: string, limit: number) {
  // Object names are keyed hashes: they show no login and no address.
  const attempts = env.LOGIN_ATTEMPTS.getByName(keyOf(question, env));
  return {
    isFull: async () => (await attempts.count()) >= limit,
    /** One more; the answer is whether it is one too many, so that many at once get no further than as many in a row. */
    fail: async () => (await attempts.fail()) >= limit,
  };
}

/** Refuses with 105 a login, or an address, that failed too often within the last 15 minutes. */
export function loginDefence(env: GatewayEnv, login: string, address: string) {
  const byLogin = failureCount(env, `login:${login.toLowerCase()}`, Number(env.LOGIN_FAILURES));
  const byAddress = failureCount(env, `address:${address}`, Number(env.ADDRESS_FAILURES));

  return {
    /** Before the password is looked at. */
    async admit() {
      const full = await Promise.all([byLogin.isFull(), byAddress.isFull()]);
      if (full.includes(true)) throw new ApiError(105);
    },
    /** Counts a wrong password; many tries at once get no further than as many in a row. */
    async refuse(): Promise<never> {
      const over = await Promise.all([byLogin.fail(), byAddress.fail()]);
      throw new ApiError(over.includes(true) ? 105 : 102);
    },
  };
}
