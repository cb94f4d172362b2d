import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import * as z from "zod";
import { ApiError, envelope, type Offence } from "#shared/error/api-error.ts";
import { reasonOf } from "#shared/error/failure.ts";
import { logFailedCall } from "#shared/operation/call-log.ts";
import { offencesOf } from "#shared/operation/parameters.ts";
import { type AgentCaller, mayWrite } from "./tool/agent-caller.ts";
import type { AgentTool } from "./tool/agent-tool.ts";
import { TOOLS } from "./tools.ts";

/**
 * A server of the Model Context Protocol for one request. Failures are results with `isError` that hold our error
 * envelope, so that a language model reads the code and can correct its call.
 */
export function createAgentServer(caller: AgentCaller, request_id: string): Server {
  const server = new Server(
    { name: "fleet-monitoring", title: "Fleet monitoring", version: "1" },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler("tools/list", () => ({ tools: TOOLS.map(toListedTool) }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const tool = TOOLS_BY_NAME.get(params.name);
    if (!tool) throw unknownTool(params.name);
    try {
      return toResult(await runTool(tool, params.arguments ?? {}, caller), false);
    } catch (thrown) {
      const { code, extra, log, isLogged } = reasonOf(thrown);
      if (!isLogged) logFailedCall({ request_id, worker: "gateway", path: `/mcp ${tool.name}`, code, error: log });
      return toResult(envelope(code, extra), true);
    }
  });
  return server;
}

async function runTool(tool: AgentTool, given: Record<string, unknown>, caller: AgentCaller): Promise<object> {
  if (tool.writes && !mayWrite(caller.principal)) throw new ApiError(13);
  const input = tool.input.strict().safeParse(given);
  if (input.success) return tool.run(input.data, caller);
  const errors: Offence[] = offencesOf(input.error.issues, given);
  throw new ApiError(7, { errors });
}

function unknownTool(name: string) {
  const { status } = envelope(112);
  const text = `There is no tool ${JSON.stringify(name.slice(0, MAX_SHOWN_NAME))} (${status.code}: ${status.description})`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, text, envelope(112));
}

function toResult(answer: object, isError: boolean) {
  return { content: [{ type: "text" as const, text: JSON.stringify(answer) }], isError };
}

function toListedTool({ name, description, input, writes }: AgentTool) {
  const { $schema, ...schema } = z.toJSONSchema(input, { io: "input", override: omitSafeBounds });
  return {
    ...{ name, description },
    // A schema of an object, because `input` is one.
    inputSchema: schema as { type: "object" },
    annotations: { readOnlyHint: !writes, openWorldHint: false },
  };
}

/** Leaves out the bounds of JavaScript numbers, which cost tokens and tell nothing. */
function omitSafeBounds({ jsonSchema }: { jsonSchema: Record<string, unknown> }) {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

const TOOLS_BY_NAME = new Map(TOOLS.map((tool) => [tool.name, tool]));
const MAX_SHOWN_NAME = 60;

const INSTRUCTIONS =
  "A fleet: trackers with positions, vehicles, drivers, zones, places, tasks, check-ins, events and reports. Call now first for the local time: all times are local. Long answers have a cursor: pass it to read on. For anything without its own tool use search_operations and call_operation.";
