import { TUS_ABILITIES } from "#shared/contract/resumable-upload.ts";

/** Every page may call, without cookies. */
export const CORS_OPTIONS = {
  origin: "*",
  allowMethods: ["GET", "HEAD", "POST", "OPTIONS", "PATCH", "DELETE"],
  allowHeaders: [
    "Authorization",
    "Content-Type",
    "FMS-ISO-DateTime",
    "X-Limit-D",
    "X-Ingest-Key",
    "If-None-Match",
    "If-Range",
    "Range",
    "Tus-Resumable",
    "Upload-Checksum",
    "Upload-Length",
    "Upload-Offset",
  ],
  exposeHeaders: [
    "Content-Range",
    "ETag",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "Retry-After",
    "X-Request-Id",
    "Location",
    ...Object.keys(TUS_ABILITIES),
    "Upload-Expires",
    "Upload-Length",
    "Upload-Offset",
  ],
  maxAge: 86_400,
};

/** Those that concern an API: addresses may hold a hash, and content is what it is said to be. */
export const SAFE_HEADERS = {
  referrerPolicy: true,
  xContentTypeOptions: true,
  // These are for pages, and would keep other pages from showing the pictures of their users.
  crossOriginResourcePolicy: false,
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  // Nothing sets it.
  removePoweredBy: false,
  // The host's owner decides whether it is reached by https alone.
  strictTransportSecurity: false,
};

/** No id of a caller's, however short: whoever reads a log would take it for one of ours. */
export const OWN_IDS = { limitLength: 0 };
