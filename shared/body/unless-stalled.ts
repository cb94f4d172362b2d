import { ApiError } from "../error/api-error.ts";

/** For each read of a request's body: one that stalls is dropped. */
export async function unlessStalled<T>(reading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stalled = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ApiError(5)), STALL_MS);
  });
  try {
    return await Promise.race([reading, stalled]);
  } catch {
    // Cut off by the client: there is nobody left to tell why.
    throw new ApiError(5);
  } finally {
    clearTimeout(timer);
  }
}

const STALL_MS = 30_000;
