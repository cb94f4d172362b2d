import { parseJson } from "#shared/body/json.ts";
import { decodeText } from "#shared/body/text.ts";
import type { Principal } from "#shared/caller/principal.ts";
import { envelope } from "#shared/error/api-error.ts";
import { GatewayAgentCaller } from "./agent-caller.ts";
import { readBytes } from "./body/bytes.ts";
import { Caller } from "./call/caller.ts";
import { baseUrlOf, type GatewayCall, VERSION } from "./call/gateway-call.ts";
import { startTiming } from "./record-call.ts";
import { reply } from "./reply.ts";

/**
 * Serves agents by the Model Context Protocol, in its revisions of 2026 and 2025. Each request stands alone: it carries
 * its credential as a bearer token, and no session is kept.
 */
export async function serveAgent(call: GatewayCall): Promise<Response> {
  startTiming(call, AGENT_PATH);
  const caller = new Caller(call);
  call.set("caller", caller);
  const hash = /^Bearer (\S+)$/i.exec(call.req.header("Authorization") ?? "")?.[1];
  const principal = await caller.admit(hash);
  if (!isAgentCredential(principal)) return refuseStranger(call, principal);
  const parsedBody =
    call.req.method === "POST"
      ? parseJson(decodeText(await readBytes(call.req.raw, MAX_REQUEST_BYTES, caller.sender)))
      : undefined;
  // Imported on demand: the protocol's schemas take longer to build than all those of the gateway, at each of its starts.
  const [{ createMcpHandler }, { createAgentServer }] = await Promise.all([
    import("@modelcontextprotocol/server"),
    import("../agent/agent-server.ts"),
  ]);
  const agent = new GatewayAgentCaller(call, caller, principal);
  const handler = createMcpHandler(() => createAgentServer(agent, call.get("requestId")), {
    responseMode: "json",
    keepAliveMs: 0,
    // Tools never change, so there is nothing to wait for.
    maxSubscriptions: 0,
  });
  return reply(call, await handler.fetch(call.req.raw, { parsedBody }));
}

/** Tells clients how to send a credential (RFC 9728): there is no authorization server, users create API keys. */
export function describeAgentAccess(call: GatewayCall): Response {
  const origin = baseUrlOf(call).slice(0, -VERSION.length);
  const metadata = {
    resource: origin + AGENT_PATH,
    resource_name: "Fleet monitoring",
    bearer_methods_supported: ["header"],
    resource_documentation: `${origin}/docs`,
  };
  return reply(call, Response.json(metadata));
}

function isAgentCredential({ credential }: Principal) {
  return credential === "api_key" || credential === "session" || credential === "delegated";
}

function refuseStranger(call: GatewayCall, { credential }: Principal): Response {
  const origin = baseUrlOf(call).slice(0, -VERSION.length);
  const challenge = `Bearer resource_metadata="${origin}${METADATA_PATH}${AGENT_PATH}"`;
  const body = envelope(credential === "none" ? 3 : 4);
  return reply(call, Response.json(body, { status: 401, headers: { "WWW-Authenticate": challenge } }));
}

export const AGENT_PATH = "/mcp";
export const METADATA_PATH = "/.well-known/oauth-protected-resource";
const MAX_REQUEST_BYTES = 1_000_000;
