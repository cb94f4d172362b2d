import type { Next } from "hono";
import { ApiError } from "#shared/error/api-error.ts";
import type { GatewayCall } from "./call/gateway-call.ts";

/** Refuses methods that would change something, with 112, on routes that only read. */
export async function readOnly({ req }: GatewayCall, next: Next) {
  if (!READING_METHODS.includes(req.method)) throw new ApiError(112);
  await next();
}

const READING_METHODS = ["GET", "HEAD", "POST"];
