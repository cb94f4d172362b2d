import { keyOf } from "../credential/hash.ts";
import type { GatewayEnv } from "../env.ts";
import type { OpenSockets } from "./open-sockets.ts";

/** The network from which a socket was opened, or the user that it belongs to since its first valid message. */
export type SocketOwner = { network: string } | { user_id: number };

/** Adds a socket to those of its owner; false above the owner's limit. */
export function addSocket(env: GatewayEnv, owner: SocketOwner, socket: string): Promise<boolean> {
  return openSocketsOf(env, owner).add(socket, "network" in owner ? MAX_PER_NETWORK : MAX_PER_USER);
}

export async function removeSocket(env: GatewayEnv, owner: SocketOwner, socket: string): Promise<void> {
  // A socket that stays on the list by mistake goes when the list is full.
  await openSocketsOf(env, owner)
    .remove(socket)
    .catch(() => undefined);
}

/** The name of the object is a keyed hash, which does not reveal addresses. */
function openSocketsOf(env: GatewayEnv, owner: SocketOwner): OpenSockets {
  const name = "network" in owner ? `network:${owner.network}` : `user:${owner.user_id}`;
  return env.OPEN_SOCKETS.getByName(keyOf(name, env));
}

const MAX_PER_NETWORK = 100;
const MAX_PER_USER = 200;
