import { runAfterAnswer } from "../background/run-after-answer.ts";
import { ApiError } from "../error/api-error.ts";

/** The turns of an account: permissions of expensive calls to run, a few at a time. */
export interface Turns {
  /** Waits for a turn, in order of arrival; false if none came within `MAX_TURN_WAIT_MS`. The caller chooses `id`. */
  acquire(id: string): Promise<boolean>;
  release(id: string): Promise<void>;
}

/** The longest wait of a call for its turn. */
export const MAX_TURN_WAIT_MS = 10_000;

/** Continues work after the answer, and after the caller has disconnected. */
type ContinueWork = (work: Promise<unknown>) => void;

/**
 * Runs an expensive call once its account has a turn for it; 15 if none came in time. A streamed answer keeps the turn
 * until it was read or its reader has gone.
 */
export function runInTurn<Answer>(
  turns: Turns,
  run: () => Promise<Answer>,
  later: ContinueWork = runAfterAnswer,
): Promise<Answer | Response> {
  const id = crypto.randomUUID();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const answer = acquireInTime(turns, id).then((isGranted) => {
    if (!isGranted) throw new ApiError(15);
    return endAfter(run(), end);
  });
  answer.catch(end);
  // Otherwise a caller who disconnects would take the turn along, until it ends by itself.
  later(ended.then(() => turns.release(id)).catch(() => undefined));
  return answer;
}

/** False if no turn came in time. If the account's object cannot be reached, the call goes on without a turn. */
async function acquireInTime(turns: Turns, id: string): Promise<boolean> {
  const { promise: over, resolve } = Promise.withResolvers<boolean>();
  const limit = setTimeout(() => resolve(false), MAX_SILENCE_MS);
  return Promise.race([turns.acquire(id).catch(() => true), over]).finally(() => clearTimeout(limit));
}

/** Calls `end` after the answer was made, if it is streamed after its last byte. */
async function endAfter<Answer>(running: Promise<Answer>, end: () => void): Promise<Answer | Response> {
  const answer = await running;
  if (answer instanceof Response && answer.body) {
    const length = answer.headers.get("Content-Length");
    const { readable, writable } = length ? new FixedLengthStream(Number(length)) : new IdentityTransformStream();
    answer.body.pipeTo(writable).then(end, end);
    return new Response(readable, answer);
  }
  end();
  return answer;
}

/** How long the account's object may be silent: it answers by itself after the longest wait. */
const MAX_SILENCE_MS = MAX_TURN_WAIT_MS + 2_000;
