import { withTimeLimit } from "#shared/background/time-limit.ts";
import { isUnexplained } from "#shared/error/failure.ts";
import type { TargetEnv } from "#shared/network/target-network.ts";
import { systemNow } from "#shared/time/clock.ts";
import { parseRetryAfterMs } from "../../push/delivery/post.ts";

/** The result of an attempt. `status` is null if no answer came; `answer` has its first kilobyte. */
export type PostResult = {
  status: number | null;
  error: string | null;
  answer: string;
  durationMs: number;
  retryAfterMs: number;
};

/** Posts a body to a receiver, without following redirections, for at most 15 seconds. Never throws. */
export async function postEvent(
  env: TargetEnv,
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<PostResult> {
  const began = systemNow();
  const result = (status: number | null, error: string | null, answer = "", retryAfterMs = 0): PostResult => {
    return { status, error, answer, retryAfterMs, durationMs: systemNow() - began };
  };
  return withTimeLimit(TIMEOUT_MS, async (signal) => {
    const request = { method: "POST", headers, body, redirect: "manual", signal } as const;
    try {
      const response = await (env.TARGET_NETWORK ?? globalThis).fetch(url, request);
      const answer = await readBeginning(response.body).catch(() => "");
      const retryAfterMs = parseRetryAfterMs(response.headers.get("Retry-After"), systemNow());
      return result(response.status, errorOf(response.status), answer, retryAfterMs);
    } catch (thrown) {
      if (signal.aborted) return result(null, "no answer within 15 seconds");
      return result(null, describeFailure(thrown));
    }
  });
}

function describeFailure(thrown: unknown): string {
  if (!(thrown instanceof Error) || isUnexplained(thrown)) return "no connection";
  return thrown.message.slice(0, MAX_ERROR_CHARACTERS);
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "redirections are not followed" : `HTTP status ${status}`;
}

/** The first kilobyte of a body as text; the rest is not received. */
async function readBeginning(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (!body) return "";
  const reader = body.getReader();
  const bytes = new Uint8Array(MAX_ANSWER_BYTES);
  let size = 0;
  try {
    while (size < bytes.byteLength) {
      const { done, value } = await reader.read();
      if (done) break;
      const piece = value.subarray(0, bytes.byteLength - size);
      bytes.set(piece, size);
      size += piece.byteLength;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  return new TextDecoder().decode(bytes.subarray(0, size));
}

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 1024;
const MAX_ERROR_CHARACTERS = 200;
