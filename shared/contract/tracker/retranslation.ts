/** A retranslator to which a tracker's points are forwarded, as fleet sends it to the tracker's feed. */
export type Target = {
  retranslator_id: number;
  /** Raised by every change of the retranslator. */
  revision: number;
  protocol_id: ProtocolId;
  address: string;
  port: number;
  /** Empty when the receiver needs none. */
  login: string;
  /** Sealed; null when the receiver needs none. */
  password: string | null;
  /** The device id that the receiver knows. */
  device_id: string;
};

/** All current targets of a tracker. A message with a lower revision never overwrites a newer one. */
export type TargetsMessage = { tracker_id: number; account_id: number; revision: number; targets: Target[] };

/** State of a retranslator over all trackers bound to it. Times are UTC milliseconds. */
export type RetranslationStatus = {
  retranslator_id: number;
  last_success: number | null;
  last_error: { time: number; message: string } | null;
  /** Number of points waiting to be sent. */
  backlog: number;
};

export const WIALON_IPS = 1;
export const EGTS = 2;
export const OSMAND = 3;
export const JSON_POINTS = 4;
export type ProtocolId = typeof WIALON_IPS | typeof EGTS | typeof OSMAND | typeof JSON_POINTS;

/** Whether points are sent as HTTP requests; otherwise over TCP. */
export function isHttp(protocol_id: ProtocolId): boolean {
  return protocol_id === OSMAND || protocol_id === JSON_POINTS;
}
