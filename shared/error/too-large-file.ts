import { ApiError } from "./api-error.ts";

/** The error 9 for a file above a limit; `limit` goes into the answer, as in "256 columns". */
export function tooLargeFileError(limit: string): ApiError {
  return new ApiError(9, { errors: [{ parameter: "file", error: `must have at most ${limit}` }] });
}
