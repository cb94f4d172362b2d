import { connect } from "cloudflare:sockets";
import type { TargetEnv, TargetNetwork } from "#shared/network/target-network.ts";

/** The network of receivers; without a binding the runtime's own. */
export function targetNetworkOf({ TARGET_NETWORK }: TargetEnv): TargetNetwork {
  return TARGET_NETWORK ?? { fetch: (input, init) => fetch(input, init), connect };
}
