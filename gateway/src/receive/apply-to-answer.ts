import type { MiddlewareHandler } from "hono";

/**
 * Runs a middleware that sets headers after the answer is there. Run before it, Hono would create an empty response for the
 * headers and merge the two, which is slow.
 */
export function applyToAnswer(middleware: MiddlewareHandler): MiddlewareHandler {
  return async function behind(call, next) {
    await next();
    await middleware(call, async () => undefined);
  };
}
