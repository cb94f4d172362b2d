import type { GatewayEnv } from "../env.ts";
import { PUSH_APPLICATIONS, type PushApplication } from "../table/push/push-token.ts";

/** The applications that notifications can be sent to. The mobile ones need the installation's FCM service account. */
export function reachableApplicationsOf(env: Pick<GatewayEnv, "FCM_SERVICE_ACCOUNT">): readonly PushApplication[] {
  return env.FCM_SERVICE_ACCOUNT ? PUSH_APPLICATIONS : ["w3c_pushapi"];
}
