import type { Credential, Principal } from "../caller/principal.ts";
import { ApiError, type Offence } from "../error/api-error.ts";
import type { Clock } from "../time/clock.ts";
import type { Call, Operation, ReadRequest } from "./declaration.ts";
import { offencesOf, readerOf, valueAt, writerOf } from "./parameters.ts";

/** Checks that the caller may call the operation: 3 or 4 for the wrong credential, 13 for a missing right. */
export function permit<Env>(operation: Operation<Env>, { credential, kind, rights, permissions }: Principal) {
  const { accepts, masterOnly, right, permission } = operation;
  demandCredential(credential, accepts);
  if (masterOnly && kind === "subuser") throw new ApiError(13);
  if (right && !rights.includes(right)) throw new ApiError(13);
  if (permission && !permissions[permission[0]]?.includes(permission[1])) throw new ApiError(13);
}

/** Checks the kind of credential, by default a user's: 3 without one, 4 for a wrong one. */
export function demandCredential(credential: Credential, accepted: readonly Credential[] = USERS) {
  if (!accepted.includes(credential)) throw new ApiError(credential === "none" ? 3 : 4);
}

/** The parsed input; errors are 7 or the operation's own code. */
export function readInput<Env>(
  { input: schema, reportedAs = (parameter) => parameter, codeFor }: Operation<Env>,
  { typed, textual }: Pick<ReadRequest, "typed" | "textual">,
  clock: Clock,
) {
  const offences: Offence[] = [];
  const toExtra = (all: Offence[]) => ({
    errors: all.map((one) => ({ ...one, parameter: reportedAs(one.parameter) })),
  });
  const reading = { clock, offences };
  const values: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(schema.shape)) {
    const read = readerOf(member);
    if (Object.hasOwn(typed, name)) values[name] = read(typed[name], name, false, reading);
    else if (Object.hasOwn(textual, name)) values[name] = read(textual[name], name, true, reading);
  }
  if (offences.length > 0) throw new ApiError(7, toExtra(offences));
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  for (const { path } of parsed.error.issues) {
    const code = codeFor?.(path.join("."), valueAt(values, path));
    if (code) throw new ApiError(code);
  }
  throw new ApiError(7, toExtra(offencesOf(parsed.error.issues, values)));
}

/** Checks caller and input, then runs the operation. */
export function runOperation<Env>(operation: Operation<Env>, call: Call<Env>) {
  permit(operation, call.principal);
  return operation.run(readInput(operation, call.request, call.clock), call);
}

/** The answer as the caller sees it, with times in the caller's zone. */
export function serializeOutput<Env>(operation: Operation<Env>, output: Record<string, unknown>, clock: Clock) {
  const write = writerOf(operation.output);
  // The writer of an object schema returns an object.
  return { success: true, ...(write ? (write(output, clock) as Record<string, unknown>) : output) };
}

const USERS = ["session", "delegated", "api_key"] as const;
