import { keepAlive } from "#shared/background/keep-alive.ts";
import { actorOf } from "../caller/audit.ts";
import { CREDENTIALS, type Principal } from "../caller/principal.ts";
import { openDatabase } from "../database/open.ts";
import { ApiError, ERRORS, envelope } from "../error/api-error.ts";
import { reasonOf } from "../error/failure.ts";
import { countHops } from "../hops/hops.ts";
import { withCountedLinks } from "../hops/links.ts";
import { clockOf } from "../time/clock.ts";
import {
  type Answer,
  type Operation,
  type ReadRequest,
  type SerializedAnswer,
  SerializedReply,
  type ServiceEnv,
} from "./declaration.ts";
import { redirectAnswer } from "./redirect.ts";
import { runOperation, serializeOutput } from "./run.ts";

/** Accepts every caller, with or without a valid credential. */
export const ANYONE = CREDENTIALS;

/** Hooks of a service around its operations. */
export type ServeOptions<Env> = {
  /** Runs before the answer to an operation that may change something; it must not throw. */
  beforeAnswer?(env: Env, operation: Operation<Env>, principal: Principal): Promise<void>;
  /** Runs after the answer to an operation that may change something, failures included. */
  afterChange?(env: Env, operation: Operation<Env>): void;
};

/**
 * Serves operations by path: checks caller and input, runs the operation, serializes the answer. The runtime ends the
 * work of a caller that has disconnected; changes are completed nevertheless.
 */
export function serve<Env extends ServiceEnv>(
  operations: Operation<Env>[],
  { beforeAnswer, afterChange }: ServeOptions<Env> = {},
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
    const { result: answer, hops } = await countHops(async () => {
      const answer = await attempt(operation, request, principal, links);
      if (operation && !operation.reads) await beforeAnswer?.(links, operation, principal);
      return principal.kind === "nobody" ? answer : redirectAnswer(answer, request);
    });
    if (operation && !operation.reads) afterChange?.(env, operation);
    return answer instanceof Response ? answer : { ...answer, hops };
  }
}

/** The error envelope of anything thrown. Unexpected errors are logged and answered as code 6. */
export function envelopeOf(thrown: unknown, { path, request_id }: Pick<ReadRequest, "path" | "request_id">) {
  const { code, extra, log } = reasonOf(thrown);
  if (log) console.error(JSON.stringify({ request_id, path, error: log }));
  return envelope(code, extra);
}

/** The answer with the error envelope of anything thrown. */
export function failureOf(thrown: unknown, request: Pick<ReadRequest, "path" | "request_id">): SerializedAnswer {
  const failure = envelopeOf(thrown, request);
  const { code } = failure.status;
  return { status: ERRORS[code][0], code, body: JSON.stringify(failure) };
}

async function attempt<Env extends ServiceEnv>(
  operation: Operation<Env> | undefined,
  request: ReadRequest,
  principal: Principal,
  env: Env,
): Promise<Answer> {
  try {
    if (!operation || !allowsMethod(operation, request.method)) throw new ApiError(112);
    return await answerOf(operation, request, principal, env);
  } catch (thrown) {
    return failureOf(thrown, request);
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
  const output = await runOperation(operation, { db: openDatabase(env), env, principal, clock, request, actor });
  if (output instanceof Response) return output;
  if (output instanceof SerializedReply) return { status: 200, code: 0, body: output.body };
  return { status: 200, code: 0, body: JSON.stringify(serializeOutput(operation, output, clock)) };
}

function allowsMethod<Env>({ reads, takesGet }: Operation<Env>, method: string) {
  if (method === "GET") return reads === true || takesGet === true;
  return method === "POST" || (reads === true && method === "HEAD");
}

export function wantsIso({ typed, textual, iso }: ReadRequest) {
  const wish = typed.iso_datetime ?? textual.iso_datetime;
  return wish === undefined || wish === null ? iso : wish === true || wish === "true";
}
