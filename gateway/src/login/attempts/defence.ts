import { ApiError } from "#shared/error/api-error.ts";
import { keyOf } from "../../credential/hash.ts";
import type { GatewayEnv } from "../../env.ts";
import { networkOf } from "../../network.ts";

/** Counts failures of one subject, such as a login or an address. `limit` is for the last 15 minutes. */
export function limitFailures(env: GatewayEnv, subject: string, limit: number) {
  const attempts = attemptsOf(env, subject);
  return {
    isLimitReached: async () => (await attempts.countFailures()) >= limit,
    /** Counts a failure; true if the limit was reached before it. Concurrent failures get no further than sequential ones. */
    addFailure: async () => (await attempts.addFailure()) >= limit,
  };
}

/**
 * Refuses log-ins with 105 after too many failures in 15 minutes: of a login from one address, of an address, or of a
 * login from anywhere. The last does not apply to addresses of its recent log-ins, so attackers cannot lock a user out.
 */
export function createLoginDefence(env: GatewayEnv, login: string, address: string) {
  const name = login.toLowerCase();
  const network = networkOf(address);
  const attempts = attemptsOf(env, `login:${name}`);
  const addressKey = keyOf(`place:${network}`, env);
  const byLogin = limitFailures(env, `login:${name}`, Number(env.LOGIN_FAILURES_TOTAL));
  const byLoginAndAddress = limitFailures(env, `login:${name} from ${network}`, Number(env.LOGIN_FAILURES));
  const byAddress = limitFailures(env, `address:${network}`, Number(env.ADDRESS_FAILURES));
  return {
    /** Throws 105 if a limit is reached; to be called before and after the password is checked. */
    async admit() {
      const [both, fromAddress, everywhere] = await Promise.all([
        byLoginAndAddress.isLimitReached(),
        byAddress.isLimitReached(),
        byLogin.isLimitReached(),
      ]);
      if (both || fromAddress || (everywhere && !(await attempts.knowsAddress(addressKey)))) throw new ApiError(105);
    },
    /** Counts a wrong password and throws: 105 if a limit is reached, else 102. */
    async refuse(): Promise<never> {
      const [both, fromAddress, everywhere] = await Promise.all([
        byLoginAndAddress.addFailure(),
        byAddress.addFailure(),
        byLogin.addFailure(),
      ]);
      const isRefused = both || fromAddress || (everywhere && !(await attempts.knowsAddress(addressKey)));
      throw new ApiError(isRefused ? 105 : 102);
    },
    /** Remembers the address of a successful log-in. */
    remember: () => attempts.rememberAddress(addressKey),
  };
}

/** The object that counts a subject's failures. Its name is a keyed hash, which reveals neither login nor address. */
function attemptsOf(env: GatewayEnv, subject: string) {
  return env.LOGIN_ATTEMPTS.getByName(keyOf(subject, env));
}
