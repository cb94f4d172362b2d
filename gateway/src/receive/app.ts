import { Hono } from "hono";
import { cors } from "hono/cors";
import { requestId } from "hono/request-id";
import { secureHeaders } from "hono/secure-headers";
import { ApiError } from "#shared/error/api-error.ts";
import { AGENT_PATH, describeAgentAccess, METADATA_PATH, serveAgent } from "./agent.ts";
import { applyToAnswer } from "./apply-to-answer.ts";
import { type GatewayApp, VERSION } from "./call/gateway-call.ts";
import { callOperation } from "./call-operation.ts";
import { showConsole, showConsoleSettings } from "./console.ts";
import { countNetwork } from "./count-network.ts";
import { showOpenApi } from "./documentation.ts";
import { CORS_OPTIONS, OWN_IDS, SAFE_HEADERS } from "./headers.ts";
import { showHealth } from "./health.ts";
import { ingest } from "./ingest.ts";
import { showMetrics } from "./metrics.ts";
import { openSocket } from "./open-socket.ts";
import { readOnly } from "./read-only.ts";
import { showReference } from "./reference-page.ts";
import { refuse } from "./reply.ts";
import { requireDoor } from "./require-door.ts";
import { offerResumable, passDownload, passStream } from "./stream.ts";

/** The routes that the Internet reaches, and the middleware for all replies. */
export const app = new Hono<GatewayApp>({ strict: false })
  .use(requireDoor)
  .get(`${VERSION}/event/subscription`, openSocket)
  .use(secureHeaders(SAFE_HEADERS))
  .options(`${VERSION}/file/upload/*`, offerResumable)
  .options("*", requestId(OWN_IDS), cors(CORS_OPTIONS))
  .use(requestId({ ...OWN_IDS, headerName: "" }), applyToAnswer(cors(CORS_OPTIONS)))
  .all("/health", readOnly, countNetwork, showHealth)
  .all("/metrics", readOnly, showMetrics)
  .all("/docs", readOnly, countNetwork, showReference)
  .all("/docs/*", readOnly, countNetwork, showReference)
  .all(AGENT_PATH, serveAgent)
  .all(METADATA_PATH, readOnly, countNetwork, describeAgentAccess)
  .all(METADATA_PATH + AGENT_PATH, readOnly, countNetwork, describeAgentAccess)
  .all(`${VERSION}/openapi.json`, readOnly, countNetwork, showOpenApi)
  .all(`${VERSION}/ingest/*`, ingest)
  .all(`${VERSION}/file/upload/*`, passStream)
  .all(`${VERSION}/file/download/*`, passDownload)
  .all(`${VERSION}/static/*`, passStream)
  .all(`${VERSION}/*`, callOperation)
  .get("/console.json", countNetwork, showConsoleSettings)
  .get("*", countNetwork, showConsole)
  .notFound(() => {
    throw new ApiError(111);
  })
  .onError(refuse);
