import { ApiError } from "../error/api-error.ts";

/** The turns of an account: permissions of expensive calls to run, a few at a time. */
export interface Turns {
  /**
   * Waits for a turn, in order of arrival; null if none came within `MAX_TURN_WAIT_MS`. It is held until it is disposed
   * of. The runtime does so if the call that holds it is cancelled, because its caller has disconnected.
   */
  acquire(): Promise<Disposable | null>;
}

/** The longest wait of a call for its turn. */
export const MAX_TURN_WAIT_MS = 10_000;

/**
 * Runs an expensive call once its account has a turn for it; 15 if none came in time. A streamed answer keeps the turn
 * until it was read or its reader has gone.
 */
export async function runInTurn<Answer>(turns: Turns, run: () => Promise<Answer>): Promise<Answer | Response> {
  const turn = await acquireInTime(turns);
  if (turn === null) throw new ApiError(15);
  const end = () => turn?.[Symbol.dispose]();
  const answer = await run().catch((thrown) => {
    end();
    throw thrown;
  });
  if (answer instanceof Response && answer.body) return endAfterBody(answer, answer.body, end);
  end();
  return answer;
}

/** Null if no turn came in time. If the account's object cannot be reached, the call goes on without a turn: undefined. */
async function acquireInTime(turns: Turns): Promise<Disposable | null | undefined> {
  const { promise: over, resolve } = Promise.withResolvers<null>();
  const limit = setTimeout(() => resolve(null), MAX_SILENCE_MS);
  return Promise.race([turns.acquire().catch(() => undefined), over]).finally(() => clearTimeout(limit));
}

/** The answer, with a body at whose end `end` is called. */
function endAfterBody(answer: Response, body: ReadableStream, end: () => void): Response {
  const length = answer.headers.get("Content-Length");
  const { readable, writable } = length ? new FixedLengthStream(Number(length)) : new IdentityTransformStream();
  body.pipeTo(writable).then(end, end);
  return new Response(readable, answer);
}

/** How long the account's object may be silent: it answers by itself after the longest wait. */
const MAX_SILENCE_MS = MAX_TURN_WAIT_MS + 2_000;
