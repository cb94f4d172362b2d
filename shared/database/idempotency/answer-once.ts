import * as z from "zod";
import { keepAlive } from "#shared/background/keep-alive.ts";
import { ApiError, type ErrorCode, invalid, isApiError } from "../../error/api-error.ts";
import { sealWithKey, unsealWithKey } from "../../secret/seal.ts";
import { MAX_CALL_MS } from "../../time/duration.ts";
import type { Database } from "../open.ts";
import type { KeyedCall } from "./keyed-call.ts";
import { deleteKey, insertKey, type KeyRow, selectKey, updateAnswer } from "./queries.ts";
import { recordingDatabase } from "./recording-database.ts";

/**
 * JSON answers cross between Workers as text. `code`: the error code, 0 for success. `hops`: number of sequential waits of the
 * service. `replayed`: an earlier call with the same idempotency key got this answer.
 */
export type SerializedAnswer = {
  status: number;
  code: ErrorCode | 0;
  body: string;
  hops?: number;
  replayed?: true;
};
type Answer = SerializedAnswer | Response;

type KeyedOperation = { output: z.ZodObject; answerAgain?: unknown; writesElsewhere?: true };
type Execution = {
  operation: KeyedOperation;
  keyed: KeyedCall;
  db: Database;
  now: number;
  run(db: Database): Promise<Answer>;
  /** The body of an answer that was lost with its process; undefined if the operation cannot tell. */
  createAnswer(rowId: number): Promise<string | undefined>;
};

/**
 * Runs a call unless a call with its idempotency key took effect before: then answers what that call answered. 7 if the key
 * was used with other parameters, 15 while the first call is running. A call that fails keeps nothing.
 */
export async function answerOnce(execution: Execution): Promise<Answer> {
  const { operation, keyed, db, now, run } = execution;
  if (operation.writesElsewhere) return answerBehindKey(execution);
  const recording = recordingDatabase(db, keyed, now);
  let answer: Answer;
  try {
    answer = await run(recording.database);
  } catch (thrown) {
    if (recording.isStored) return throwAfterWrite(thrown, execution);
    // A caller without the right learns nothing.
    if (isRefusalOfCaller(thrown)) throw thrown;
    const row = await selectKey(db, keyed);
    if (!row) throw thrown;
    return answerAgain(row, execution);
  }
  if (!recording.isStored && !(await insertKey(db, keyed, now))) {
    const row = await selectKey(db, keyed);
    if (row) return answerAgain(row, execution);
  }
  if (answer instanceof Response || isDerivable(answer, operation, recording.rowId)) return answer;
  return storeLater(answer, execution);
}

/** Stores the key before the operation runs, which takes a round trip more, and frees it after a failure. */
async function answerBehindKey(execution: Execution): Promise<Answer> {
  const { keyed, db, now, run } = execution;
  if (!(await insertKey(db, keyed, now))) {
    const row = await selectKey(db, keyed);
    if (row) return answerAgain(row, execution);
  }
  const answer = await run(db).catch(async (thrown) => {
    await deleteKey(db, keyed);
    throw thrown;
  });
  return answer instanceof Response ? answer : storeLater(answer, execution);
}

/**
 * Throws the error of a call whose transaction was committed. A refusal, such as 201, says that it changed nothing: the key is
 * freed. After any other failure the call has taken effect.
 */
async function throwAfterWrite(thrown: unknown, { keyed, db }: Execution): Promise<never> {
  const isFailure = !isApiError(thrown) || thrown.code === 6 || thrown.code === 14;
  if (!isFailure) await deleteKey(db, keyed);
  throw thrown;
}

/** The answer of the call that took effect. */
async function answerAgain(row: KeyRow, execution: Execution): Promise<Answer> {
  const { operation, keyed, now } = execution;
  if (row.fingerprint !== keyed.fingerprint) throw invalid("Idempotency-Key", "was used with other parameters");
  if (row.answer !== null) return replay(await unsealWithKey(row.answer, keyed.secret));
  const derived = deriveBody(operation, row.row_id);
  const isLost = now - row.created > MAX_CALL_MS;
  if (derived !== undefined && (isLost || !hasOptionalMembers(operation))) return replay(derived);
  if (!isLost) throw new ApiError(15);
  return answerLost(row, execution);
}

/** The answer of a call that took effect and whose process died before the answer was stored. */
async function answerLost(row: KeyRow, execution: Execution): Promise<Answer> {
  const { operation, keyed, db, createAnswer } = execution;
  const body = row.row_id === null ? undefined : await createAnswer(row.row_id);
  if (body !== undefined) return replay(body);
  // Nobody can tell what the call made: to run it again could make it twice.
  if (row.row_id !== null && operation.answerAgain !== "run") throw new ApiError(15);
  await deleteKey(db, keyed);
  return answerOnce(execution);
}

function replay(body: string): SerializedAnswer {
  return { status: 200, code: 0, body, replayed: true };
}

/** The answer of operations that answer nothing, or the id of what they made; undefined for others. */
function deriveBody({ output }: KeyedOperation, rowId: number | null): string | undefined {
  const required = Object.entries(output.shape).filter(([, member]) => !(member instanceof z.ZodOptional));
  if (required.length === 0) return JSON.stringify({ success: true });
  const isId = required.length === 1 && required[0]?.[0] === "id";
  return isId && rowId !== null ? JSON.stringify({ success: true, id: rowId }) : undefined;
}

/** Whether the answer follows from the row alone, so that it need not be stored. */
function isDerivable({ body }: SerializedAnswer, operation: KeyedOperation, rowId: number | null) {
  return !hasOptionalMembers(operation) && deriveBody(operation, rowId) === body;
}

function hasOptionalMembers({ output }: KeyedOperation) {
  return Object.values(output.shape).some((member) => member instanceof z.ZodOptional);
}

/** Stores an answer without letting the caller wait. A very long one is not stored. */
function storeLater(answer: SerializedAnswer, { keyed, db }: Execution): SerializedAnswer {
  if (answer.body.length > MAX_STORED_CHARACTERS) return answer;
  const store = async () => updateAnswer(db, keyed, await sealWithKey(answer.body, keyed.secret));
  keepAlive(store().catch(() => undefined));
  return answer;
}

/** No hash, a wrong one, or a missing right. */
function isRefusalOfCaller(thrown: unknown) {
  return isApiError(thrown) && [3, 4, 13].includes(thrown.code);
}

const MAX_STORED_CHARACTERS = 262_144;
