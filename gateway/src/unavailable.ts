import { ApiError } from "#shared/error/api-error.ts";

/** Throws 14. Services answer their own failures, so an RPC call that throws means that the service is unreachable. */
export function throwUnavailable(thrown: unknown): never {
  throw new ApiError(14, {}, { cause: thrown });
}
