import { ApiError } from "#shared/error/api-error.ts";

/** A service answers its own failures: what it throws all the same means that it is not there. */
export function throwUnavailable(thrown: unknown): never {
  throw new ApiError(14, {}, { cause: thrown });
}
