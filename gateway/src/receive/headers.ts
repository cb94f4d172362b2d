import { TUS_ABILITIES } from "#shared/contract/file/resumable-upload.ts";
import { createRequestId } from "./request-id.ts";

/** CORS: pages of every origin may call, without cookies. */
export const CORS_OPTIONS = {
  origin: "*",
  allowMethods: ["GET", "HEAD", "POST", "OPTIONS", "PATCH", "DELETE"],
  allowHeaders: [
    "Authorization",
    "Content-Type",
    "FMS-ISO-DateTime",
    "Idempotency-Key",
    "X-Limit-D",
    "X-Ingest-Key",
    "X-Request-Id",
    "If-None-Match",
    "If-Range",
    // Headers of agents.
    "Last-Event-ID",
    "MCP-Protocol-Version",
    "Mcp-Method",
    "Mcp-Name",
    "Mcp-Session-Id",
    "Range",
    "Tus-Resumable",
    "Upload-Checksum",
    "Upload-Length",
    "Upload-Offset",
  ],
  exposeHeaders: [
    "Content-Range",
    "ETag",
    "Idempotency-Replayed",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "Retry-After",
    "WWW-Authenticate",
    "X-Request-Id",
    "Location",
    ...Object.keys(TUS_ABILITIES),
    "Upload-Expires",
    "Upload-Length",
    "Upload-Offset",
  ],
  maxAge: 86_400,
};

/** Safety headers for an API: no referrers, as addresses may contain a hash, and no guessing of content types. */
export const SAFE_HEADERS = {
  referrerPolicy: true,
  xContentTypeOptions: true,
  // Headers for HTML pages; the first two would keep other sites from showing pictures of the API.
  crossOriginResourcePolicy: false,
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  // Nothing sets this header.
  removePoweredBy: false,
  // The owner of the host decides whether it is reached by https only.
  strictTransportSecurity: false,
};

/** No id is taken as the caller sent it: ids are made by `createRequestId`. */
export const OWN_IDS = { limitLength: 0, generator: createRequestId };
