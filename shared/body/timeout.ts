import { ApiError } from "../error/api-error.ts";
import { systemNow } from "../time/clock.ts";

/**
 * Limits the time between two bytes of a request's body, and its total time to `wholeMs`; it also ends once `isEnded`.
 * One timer serves the whole body: setting one per read would cost as much as the read. Throws 5.
 */
export function bodyTimeout(
  wholeMs = Number.POSITIVE_INFINITY,
  isEnded?: () => boolean,
  now: () => number = systemNow,
) {
  const began = now();
  let lastByte = began;
  let isReading = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<never>((_, reject) => {
    function wait() {
      const left = isEnded?.() ? 0 : Math.min(lastByte + STALL_MS, began + wholeMs) - now();
      // A pause while nobody reads is not the sender's fault.
      if (left <= 0 && isReading) reject(new ApiError(5));
      else timer = setTimeout(wait, Math.min(left > 0 ? left : STALL_MS, isEnded ? POLL_MS : STALL_MS));
    }
    wait();
  });
  // Avoids an unhandled rejection when nobody reads at that moment.
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
        // The client closed the connection: nobody will see this error.
        throw new ApiError(5);
      } finally {
        isReading = false;
      }
    },
    end: () => clearTimeout(timer),
  };
}

const STALL_MS = 20_000;
/** Between two looks whether the body has been ended. */
const POLL_MS = 100;
