/** Where points of a tracker go besides: what fleet tells the tracker's feed. */
export type Target = {
  retranslator_id: number;
  /** Grows with every change of the retranslator. */
  revision: number;
  protocol_id: ProtocolId;
  address: string;
  port: number;
  /** Empty: there is none. */
  login: string;
  /** Sealed; null: there is none. */
  password: string | null;
  /** By which the receiver knows the device. */
  device_id: string;
};

/** All targets that a tracker has now. An older word never overwrites a newer one. */
export type TargetsMessage = { tracker_id: number; account_id: number; revision: number; targets: Target[] };

/** How a retranslator fares, over all trackers that are bound to it. Times are UTC milliseconds. */
export type RetranslationStatus = {
  retranslator_id: number;
  last_success: number | null;
  last_error: { time: number; message: string } | null;
  /** Points that wait. */
  backlog: number;
};

export const WIALON_IPS = 1;
export const EGTS = 2;
export const OSMAND = 3;
export const JSON_POINTS = 4;
export type ProtocolId = typeof WIALON_IPS | typeof EGTS | typeof OSMAND | typeof JSON_POINTS;

/** Whether points go as HTTP requests; else over a TCP connection of the protocol's own. */
export function isHttp(protocol_id: ProtocolId): boolean {
  return protocol_id === OSMAND || protocol_id === JSON_POINTS;
}
