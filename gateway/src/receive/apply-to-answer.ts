import type { MiddlewareHandler } from "hono";

/**
 * Runs a middleware that sets headers on the answer itself. In front of it, it would make an empty answer to hold them,
 * and merging the two takes as long as much of the rest of a call.
 */
export function applyToAnswer(middleware: MiddlewareHandler): MiddlewareHandler {
  return async function behind(call, next) {
    await next();
    await middleware(call, async () => undefined);
  };
}
