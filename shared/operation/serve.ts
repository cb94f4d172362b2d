import { keepAlive } from "#shared/background/keep-alive.ts";
import { actorOf } from "../caller/audit.ts";
import { CREDENTIALS, type Principal } from "../caller/principal.ts";
import { answerOnce } from "../database/idempotency/answer-once.ts";
import { keyedCallOf } from "../database/idempotency/keyed-call.ts";
import { type Database, openDatabase } from "../database/open.ts";
import { ApiError, ERRORS, envelope } from "../error/api-error.ts";
import { reasonOf } from "../error/failure.ts";
import { countHops } from "../hops/hops.ts";
import { withCountedLinks } from "../hops/links.ts";
import { clockOf, systemNow } from "../time/clock.ts";
import { type LoggedCall, logFailedCall, logSuccessfulCall } from "./call-log.ts";
import {
  type Answer,
  type Operation,
  type ReadRequest,
  type SerializedAnswer,
  SerializedReply,
  type ServiceEnv,
} from "./declaration.ts";
import { redirectAnswer } from "./redirect.ts";
import { readInput, runOperation, serializeOutput } from "./run.ts";

/** Accepts every caller, with or without a valid credential. */
export const ANYONE = CREDENTIALS;

/** Hooks of a service around its operations, and the name of its Worker in the log. */
export type ServeOptions<Env> = {
  worker: string;
  /** Runs before the answer to an operation that may change something; it must not throw. */
  beforeAnswer?(env: Env, operation: Operation<Env>, principal: Principal): Promise<void>;
  /** Runs after the answer to an operation that may change something, failures included. */
  afterChange?(env: Env, operation: Operation<Env>, principal: Principal): void;
};

/**
 * Serves operations by path: checks caller and input, runs the operation, serializes the answer. The runtime ends the
 * work of a caller that has disconnected; changes are completed nevertheless.
 */
export function serve<Env extends ServiceEnv>(
  operations: Operation<Env>[],
  { worker, beforeAnswer, afterChange }: ServeOptions<Env>,
) {
  const byPath = new Map(operations.map((operation) => [operation.path, operation]));

  return function handle(request: ReadRequest, principal: Principal, env: Env): Promise<Answer> {
    const operation = byPath.get(request.path);
    const answer = answerCall(operation, request, principal, env);
    // Failures reach the caller by the answer itself.
    if (operation && !operation.reads) keepAlive(answer.catch(() => undefined));
    return answer;
  };

  async function answerCall(
    operation: Operation<Env> | undefined,
    request: ReadRequest,
    principal: Principal,
    env: Env,
  ): Promise<Answer> {
    const links = withCountedLinks(env);
    const began = systemNow();
    const { result: answer, hops } = await countHops(async () => {
      const answer = await attempt(worker, operation, request, principal, links);
      if (operation && !operation.reads) await beforeAnswer?.(links, operation, principal);
      return principal.kind === "nobody" ? answer : redirectAnswer(answer, request);
    }, request.request_id);
    if (operation && !operation.reads) afterChange?.(env, operation, principal);
    const { request_id, path } = request;
    // The gateway logs its own calls together with those of the services.
    if (worker !== "gateway" && (answer instanceof Response || answer.code === 0))
      logSuccessfulCall({ request_id, worker, path, code: 0, ms: systemNow() - began, hops });
    return answer instanceof Response ? answer : { ...answer, hops };
  }
}

/** A call that failed, as the log names it. */
type FailedCall = Pick<LoggedCall, "request_id" | "worker" | "path">;

/** The error envelope of anything thrown by a part of a call. Unexpected errors are logged and answered as code 6. */
export function envelopeOf(thrown: unknown, call: FailedCall) {
  const { code, extra, log } = reasonOf(thrown);
  if (log) logFailedCall({ ...call, code, error: log });
  return envelope(code, extra);
}

/** The answer with the error envelope of anything thrown by a call. Logs it unless another Worker has logged it. */
export function failureOf(thrown: unknown, call: FailedCall): SerializedAnswer {
  const { code, extra, log, isLogged } = reasonOf(thrown);
  if (!isLogged) logFailedCall({ ...call, code, error: log });
  return { status: ERRORS[code][0], code, body: JSON.stringify(envelope(code, extra)) };
}

async function attempt<Env extends ServiceEnv>(
  worker: string,
  operation: Operation<Env> | undefined,
  request: ReadRequest,
  principal: Principal,
  env: Env,
): Promise<Answer> {
  try {
    if (!operation || !allowsMethod(operation, request.method)) throw new ApiError(112);
    if (request.reads_only && !operation.reads) throw new ApiError(13);
    return await answerOf(operation, request, principal, env);
  } catch (thrown) {
    const { request_id, path } = request;
    return failureOf(thrown, { request_id, worker, path });
  }
}

async function answerOf<Env extends ServiceEnv>(
  operation: Operation<Env>,
  request: ReadRequest,
  principal: Principal,
  env: Env,
): Promise<Answer> {
  const clock = clockOf(env, principal.time_zone, wantsIso(request));
  const actor = actorOf(principal, request, clock.now());
  const db = openDatabase(env);
  const call = { db, env, principal, clock, request, actor };
  const serialize = (output: Record<string, unknown>): SerializedAnswer => {
    return { status: 200, code: 0, body: JSON.stringify(serializeOutput(operation, output, clock)) };
  };
  const run = async (db: Database): Promise<Answer> => {
    const output = await runOperation(operation, { ...call, db });
    if (output instanceof Response) return output;
    if (output instanceof SerializedReply) return { status: 200, code: 0, body: output.body };
    return serialize(output);
  };
  const keyed = operation.reads ? undefined : keyedCallOf(request, principal);
  if (!keyed) return run(db);
  return answerOnce({
    ...{ operation, keyed, db, now: clock.now(), run },
    createAnswer: async (rowId) => {
      const { answerAgain } = operation;
      if (typeof answerAgain !== "object") return undefined;
      return serialize(await answerAgain.create(rowId, readInput(operation, request, clock), call)).body;
    },
  });
}

function allowsMethod<Env>({ reads, takesGet }: Operation<Env>, method: string) {
  if (method === "GET") return reads === true || takesGet === true;
  return method === "POST" || (reads === true && method === "HEAD");
}

export function wantsIso({ typed, textual, iso }: ReadRequest) {
  const parameter = typed.iso_datetime ?? textual.iso_datetime;
  return parameter === undefined || parameter === null ? iso : parameter === true || parameter === "true";
}
