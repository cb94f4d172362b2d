/** A device's request as the gateway has read it. Plain data crosses to another Worker at half a request's cost. */
export type DeviceRequest = {
  method: string;
  url: string;
  content_type: string;
  /** The headers by which a device shows who it is, under their names in lower case. */
  headers: Record<string, string>;
  bytes: Uint8Array;
};

/** The headers that `DeviceRequest` keeps. */
export const DEVICE_HEADERS = ["x-limit-d", "x-ingest-key"] as const;
