import type * as z from "zod";
import { readPieces } from "#shared/body/read-pieces.ts";
import { decodeText } from "#shared/body/text.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { StaffedTracker } from "#shared/contract/fleet.ts";
import type { VisibleTracker } from "#shared/contract/tracker/visible-tracker.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import type { Answer, ReadRequest } from "#shared/operation/declaration.ts";
import { runInTurn } from "#shared/operation/run-in-turn.ts";
import { clockOf, nowMs } from "#shared/time/clock.ts";
import { type AgentCaller, type ApiDocument, mayWrite, type Parameters } from "../agent/tool/agent-caller.ts";
import { throwUnavailable } from "../unavailable.ts";
import { GrowingBuffer } from "./body/bytes.ts";
import type { Caller } from "./call/caller.ts";
import { addressOf, baseUrlOf, type GatewayCall } from "./call/gateway-call.ts";
import { passCall, turnsOf } from "./call/pass-call.ts";
import { ownerOf } from "./call/routes.ts";
import { readApiDocument } from "./documentation.ts";

/** Calls operations for the agent that sent a request to the gateway. */
export class GatewayAgentCaller implements AgentCaller {
  readonly principal: Principal;
  readonly #call: GatewayCall;
  readonly #caller: Caller;

  constructor(call: GatewayCall, caller: Caller, principal: Principal) {
    this.#call = call;
    this.#caller = caller;
    this.principal = principal;
  }

  localTime(): string {
    const { env } = this.#call;
    return clockOf(env, this.principal.time_zone, false).write(nowMs(env));
  }

  async callText(path: string, parameters: Parameters, idempotency_key?: string): Promise<string> {
    const owner = ownerOf(path);
    if (!owner) throw new ApiError(111);
    const principal = await this.#caller.admitAgain();
    const request = this.#requestOf(path, parameters, idempotency_key);
    const { env } = this.#call;
    const run = () => passCall(owner, request, principal, env);
    const turns = turnsOf(request, principal, env);
    return readAnswer(await (turns ? runInTurn(turns, run) : run()));
  }

  async read<Schema extends z.ZodType>(path: string, parameters: Parameters, answer: Schema) {
    return answer.parse(JSON.parse(await this.callText(path, parameters)));
  }

  allTrackers(most: number): Promise<VisibleTracker[]> {
    return this.#call.env.FLEET.allTrackers(this.principal, most).catch(throwUnavailable);
  }

  staffedTrackers(ids: number[]): Promise<StaffedTracker[]> {
    return this.#call.env.FLEET.staffedTrackers(this.principal, ids).catch(throwUnavailable);
  }

  describeApi(): Promise<ApiDocument> {
    return readApiDocument(this.#call.env);
  }

  #requestOf(path: string, parameters: Parameters, idempotency_key: string | undefined): ReadRequest {
    const isReader = !mayWrite(this.principal) && !HARMLESS_PATHS.includes(path);
    return {
      path,
      method: "POST",
      typed: Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined)),
      textual: {},
      shows_hash: true,
      iso: false,
      address: addressOf(this.#call),
      user_agent: this.#userAgent(),
      base_url: baseUrlOf(this.#call),
      request_id: this.#call.get("requestId"),
      ...(isReader ? { reads_only: true } : {}),
      ...(idempotency_key === undefined ? {} : { idempotency_key }),
    };
  }

  /** The author of changes in the audit log: the agent's API key by its title. */
  #userAgent(): string {
    const { api_key } = this.principal;
    return api_key ? `agent with the API key ${api_key.title}` : `agent: ${this.#call.req.header("User-Agent") ?? ""}`;
  }
}

/** The JSON text of an answer; throws the `ApiError` of a refusal. */
async function readAnswer(answer: Answer): Promise<string> {
  if (answer instanceof Response) return readStream(answer);
  if (answer.code === 0) return answer.body;
  const { success, status, ...extra } = JSON.parse(answer.body);
  throw new ApiError(answer.code, extra);
}

async function readStream(answer: Response): Promise<string> {
  if (!answer.headers.get("Content-Type")?.startsWith("application/json")) {
    await answer.body?.cancel();
    throw invalid("path", "answers a file, and agents read JSON alone");
  }
  const content = new GrowingBuffer(INITIAL_BUFFER_BYTES, MAX_ANSWER_BYTES);
  for await (const piece of readPieces(answer.body, { maxBytes: MAX_ANSWER_BYTES })) content.add(piece);
  return decodeText(content.bytes());
}

/** Operations that store something for their caller alone: every agent may start a report. */
const HARMLESS_PATHS = ["/report/tracker/generate"];
const INITIAL_BUFFER_BYTES = 65_536;
/** Longer lists are refused with 9: agents should ask for a part of them. */
const MAX_ANSWER_BYTES = 5_000_000;
