import type { GatewayEnv } from "../env.ts";
import { PUSH_APPLICATIONS, type PushApplication } from "../table/push-token.ts";

/** The applications that anything can be sent to: the mobile ones need an account of the service that they hear by. */
export function reachableApplicationsOf(env: Pick<GatewayEnv, "FCM_SERVICE_ACCOUNT">): readonly PushApplication[] {
  return env.FCM_SERVICE_ACCOUNT ? PUSH_APPLICATIONS : ["w3c_pushapi"];
}
