import { ApiError } from "#shared/error/api-error.ts";
import type { GatewayEnv } from "../../env.ts";
import { networkOf } from "../../network.ts";
import { limitFailures } from "./defence.ts";

/** Counts a request for a mail by address; 15 above the limit. It stops callers from testing or mailing many logins. */
export async function countMailRequest(env: GatewayEnv, address: string) {
  if (await limitFailures(env, `mail:${networkOf(address)}`, Number(env.MAIL_REQUESTS)).addFailure())
    throw new ApiError(15);
}
