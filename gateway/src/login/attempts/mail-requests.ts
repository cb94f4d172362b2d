import { ApiError } from "#shared/error/api-error.ts";
import type { GatewayEnv } from "../../env.ts";
import { limitFailures } from "./defence.ts";

/** Counts a call that asks for a mail: without end, such calls would tell which logins exist, or write to all of them. */
export async function countMailRequest(env: GatewayEnv, address: string) {
  if (await limitFailures(env, `mail:${address}`, Number(env.MAIL_REQUESTS)).addFailure()) throw new ApiError(15);
}
