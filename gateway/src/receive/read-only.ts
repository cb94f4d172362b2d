import type { Next } from "hono";
import { ApiError } from "#shared/error/api-error.ts";
import type { GatewayCall } from "./gateway-call.ts";

/** For what changes nothing: any other method is an unknown action. */
export async function readOnly({ req }: GatewayCall, next: Next) {
  if (!READING_METHODS.includes(req.method)) throw new ApiError(112);
  await next();
}

const READING_METHODS = ["GET", "HEAD", "POST"];
