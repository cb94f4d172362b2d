import { actorOf } from "../caller/audit.ts";
import { CREDENTIALS, type Principal } from "../caller/principal.ts";
import { openDatabase } from "../database/open.ts";
import { ApiError, type ErrorCode, type Extra, envelope, type Offence } from "../error/api-error.ts";
import { reasonOf } from "../error/failure.ts";
import { clockOf } from "../time/clock.ts";
import type { Answer, Operation, ReadRequest, ServiceEnv } from "./declaration.ts";
import { offencesOf, readerOf, writerOf } from "./parameters.ts";
import { redirected } from "./redirect.ts";

/** Whoever calls, with or without a valid credential. */
export const ANYONE = CREDENTIALS;

/** What a service does behind its answers. */
export type Serving<Env> = {
  /** After the answer to an operation that may change something, whatever it was. */
  afterChange?(env: Env, operation: Operation<Env>): void;
};

/** The operations behind their paths: finds one, checks the caller and the input, runs it, writes the answer. */
export function serve<Env extends ServiceEnv>(operations: Operation<Env>[], { afterChange }: Serving<Env> = {}) {
  const byPath = new Map(operations.map((operation) => [operation.path, operation]));

  return async function handle(request: ReadRequest, principal: Principal, env: Env): Promise<Answer> {
    const operation = byPath.get(request.path);
    const answer = redirected(await attempt(operation, request, principal, env), request);
    if (operation && !operation.reads) afterChange?.(env, operation);
    return answer;
  };
}

/** The envelope of whatever was thrown; what nobody expected is logged and stays inside. */
export function failureOf(
  thrown: unknown,
  request: Pick<ReadRequest, "path" | "request_id">,
): { status: number; body: string } {
  const reason = reasonOf(thrown);
  if (reason.log)
    console.error(JSON.stringify({ request_id: request.request_id, path: request.path, error: reason.log }));
  return envelope(reason.code as ErrorCode, reason.extra as Extra);
}

async function attempt<Env extends ServiceEnv>(
  operation: Operation<Env> | undefined,
  request: ReadRequest,
  principal: Principal,
  env: Env,
): Promise<Answer> {
  try {
    if (!operation || !allowsMethod(operation, request.method)) throw new ApiError(112);
    permit(operation, principal);
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
  const input = readInput(operation, request, clock);
  const actor = actorOf(principal, request, clock.now());
  const answer = await operation.run(input, { db: openDatabase(env), env, principal, clock, request, actor });
  if (answer instanceof Response) return answer;
  const write = writerOf(operation.output);
  // The writer of an object's schema gives an object.
  const written = write ? (write(answer, clock) as Record<string, unknown>) : answer;
  return { status: 200, body: JSON.stringify({ success: true, ...written }) };
}

function readInput<Env>(
  { input: schema, toldAs = (parameter) => parameter }: Operation<Env>,
  { typed, textual }: ReadRequest,
  clock: ReturnType<typeof clockOf>,
) {
  const offences: Offence[] = [];
  const told = (all: Offence[]) => ({ errors: all.map((one) => ({ ...one, parameter: toldAs(one.parameter) })) });
  const reading = { clock, offences };
  const given: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(schema.shape)) {
    const read = readerOf(member);
    if (Object.hasOwn(typed, name)) given[name] = read(typed[name], name, false, reading);
    else if (Object.hasOwn(textual, name)) given[name] = read(textual[name], name, true, reading);
  }
  if (offences.length > 0) throw new ApiError(7, told(offences));
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new ApiError(7, told(offencesOf(parsed.error.issues, given)));
  return parsed.data;
}

function permit<Env>(operation: Operation<Env>, { credential, kind, rights, permissions }: Principal) {
  const { accepts = USERS, masterOnly, right, permission } = operation;
  if (!accepts.includes(credential)) throw new ApiError(credential === "none" ? 3 : 4);
  if (masterOnly && kind === "subuser") throw new ApiError(13);
  if (right && !rights.includes(right)) throw new ApiError(13);
  if (permission && !permissions[permission[0]]?.includes(permission[1])) throw new ApiError(13);
}

function allowsMethod<Env>({ reads, takesGet }: Operation<Env>, method: string) {
  if (method === "GET") return reads === true || takesGet === true;
  return method === "POST" || (reads === true && method === "HEAD");
}

export function wantsIso({ typed, textual, iso }: ReadRequest) {
  const wish = typed.iso_datetime ?? textual.iso_datetime;
  return wish === undefined || wish === null ? iso : wish === true || wish === "true";
}

const USERS = ["session", "delegated", "api_key"] as const;
