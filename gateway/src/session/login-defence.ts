import { ApiError } from "#shared/api-error.ts";
import type { GatewayEnv } from "../env.ts";
import { keyOf } from "./hash.ts";

/** Refuses with 105 a login, or an address, that failed too often within the last 15 minutes. */
export function loginDefence(env: GatewayEnv, login: string, address: string) {
  // Object names are keyed hashes: they show no login and no address.
  const byLogin = env.LOGIN_ATTEMPTS.getByName(keyOf(`login:${login.toLowerCase()}`, env));
  const byAddress = env.LOGIN_ATTEMPTS.getByName(keyOf(`address:${address}`, env));

  return {
    /** Before the password is looked at. */
    async admit() {
      const [failed, fromThere] = await Promise.all([byLogin.count(), byAddress.count()]);
      if (failed >= Number(env.LOGIN_FAILURES) || fromThere >= Number(env.ADDRESS_FAILURES)) throw new ApiError(105);
    },
    /** Counts a wrong password; many tries at once get no further than as many in a row. */
    async refuse(): Promise<never> {
      const [failed, fromThere] = await Promise.all([byLogin.fail(), byAddress.fail()]);
      const over = failed >= Number(env.LOGIN_FAILURES) || fromThere >= Number(env.ADDRESS_FAILURES);
      throw new ApiError(over ? 105 : 102);
    },
  };
}
