import { ApiError } from "../error/api-error.ts";

/**
 * Parses JSON up to a depth limit: deeper JSON counts as malformed, so that recursive code cannot overflow the stack.
 */
export function parseJson(text: string): unknown {
  const value = parseDocument(text);
  if (isDeeperThan(MAX_DEPTH, value)) throw new ApiError(5);
  return value;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseDocument(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(5);
  }
}

function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object" && isDeeperThan(depth - 1, item)) return true;
    return false;
  }
  // An object, by the lines above. for-in, because Object.values would double the time of this check on lists of
  // points.
  const members = value as Record<string, unknown>; // an object that is no array, by the lines above
  for (const name in members) {
    const member = members[name];
    if (typeof member === "object" && isDeeperThan(depth - 1, member)) return true;
  }
  return false;
}

const MAX_DEPTH = 64;
