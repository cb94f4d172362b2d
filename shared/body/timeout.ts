import { ApiError } from "../error/api-error.ts";
import { systemNow } from "../time/clock.ts";

/**
 * How long a request's body is waited for: so long without a byte, and in all at most as long as is said. One timer for
 * the whole body, looked at again when it goes off: to set one for each read takes as long as the read.
 */
export function bodyTimeout(wholeMs = Number.POSITIVE_INFINITY, now: () => number = systemNow) {
  const began = now();
  let lastByte = began;
  let isReading = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<never>((_, reject) => {
    function wait() {
      const left = Math.min(lastByte + STALL_MS, began + wholeMs) - now();
      // What takes long between two reads is no fault of the sender's.
      if (left <= 0 && !isReading) timer = setTimeout(wait, STALL_MS);
      else if (left <= 0) reject(new ApiError(5));
      else timer = setTimeout(wait, left);
    }
    wait();
  });
  // Nobody may be reading when it is over.
  over.catch(() => undefined);
  return {
    async within<T>(reading: Promise<T>): Promise<T> {
      isReading = true;
      lastByte = now();
      try {
        const read = await Promise.race([reading, over]);
        lastByte = now();
        return read;
      } catch {
        // Cut off by the client: there is nobody left to tell why.
        throw new ApiError(5);
      } finally {
        isReading = false;
      }
    },
    end: () => clearTimeout(timer),
  };
}

const STALL_MS = 20_000;
