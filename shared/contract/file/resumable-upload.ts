/** The supported version of tus, the protocol of resumable uploads. */
export const TUS_VERSION = "1.0.0";
export const CHECKSUMS = ["sha1", "sha256", "md5"] as const;
/** Supported parts of tus: the ticket replaces tus's own creation of uploads. */
export const TUS_ABILITIES = {
  "Tus-Resumable": TUS_VERSION,
  "Tus-Version": TUS_VERSION,
  "Tus-Extension": "checksum,expiration,termination",
  "Tus-Checksum-Algorithm": CHECKSUMS.join(","),
  "Tus-Max-Size": String(16 * 1024 * 1024),
};
