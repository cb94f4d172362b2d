import { EGTS, isHttp, JSON_POINTS, OSMAND, type Target, WIALON_IPS } from "#shared/contract/tracker/retranslation.ts";
import { isPublic, receiverAt } from "#shared/network/receiver-address.ts";
import { unseal } from "#shared/secret/seal.ts";
import type { GeoEnv } from "../env.ts";
import { DeliveryFailure } from "./delivery-failure.ts";
import { openEgts } from "./egts-session.ts";
import { jsonSession, osmandSession } from "./http-session.ts";
import type { ReceiverSession } from "./receiver-session.ts";
import { targetNetworkOf } from "./target-network.ts";
import { TcpConnection } from "./tcp-connection.ts";
import { openWialon } from "./wialon-session.ts";

/** Opens a connection and logs in, if the protocol has that. Throws if the receiver is away or refuses. */
export async function openSession(target: Target, env: GeoEnv): Promise<ReceiverSession> {
  const { protocol_id, address, port, device_id, login } = target;
  const receiver = receiverAt(address, port, isHttp(protocol_id));
  // Checked again: the address may have been stored before the check existed.
  if (!receiver || (env.ALLOW_PRIVATE_TARGETS !== "1" && !isPublic(receiver.hostname)))
    throw new DeliveryFailure("the address is not allowed");
  const password = target.password === null ? null : await unseal(target.password, env.ENCRYPTION_KEY);
  const network = targetNetworkOf(env);
  const waitMs = Number(env.RETRANSLATION_WAIT_SECONDS) * 1000;
  const tcp = () => TcpConnection.open(network, { hostname: receiver.hostname, port }, waitMs);
  switch (protocol_id) {
    case WIALON_IPS:
      return openWialon(await tcp(), device_id, password);
    case EGTS:
      return openEgts(tcp, device_id);
    case OSMAND:
      return osmandSession(network, receiver, device_id, waitMs);
    case JSON_POINTS:
      return jsonSession(network, receiver, device_id, { login, password: password ?? "" }, waitMs);
  }
}
