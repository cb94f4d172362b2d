/**
 * A device's request as the gateway read it: plain data costs half as much as a Request when it crosses to another
 * Worker.
 */
export type DeviceRequest = {
  method: string;
  url: string;
  content_type: string;
  /** The headers that identify a device, with lower-case names. */
  headers: Record<string, string>;
  bytes: Uint8Array;
};

/** The headers that `DeviceRequest` keeps. */
export const DEVICE_HEADERS = ["x-limit-d", "x-ingest-key"] as const;
