import { ApiError } from "../../../clients/typescript/src/index.ts";

/** Whether a call failed because its session is unknown to the server, or has ended there. */
export function isEnded(thrown: unknown): boolean {
  return thrown instanceof ApiError && ENDED.includes(thrown.code);
}

/** Codes for a hash that is unknown or has ended. */
const ENDED = [3, 4];
