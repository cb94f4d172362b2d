import { TUS_VERSION } from "#shared/contract/resumable-upload.ts";
import { ERRORS, type ErrorCode } from "#shared/error/api-error.ts";

/** What tus answers by a status of its own, which the error's code alone would not have. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: ErrorCode;

  constructor(status: number, code: ErrorCode) {
    super(`tus ${status}`);
    this.status = status;
    this.code = code;
  }
}

export function isRefusal(thrown: unknown): thrown is Refusal {
  return thrown instanceof Refusal;
}

export function toResponse({ status, code }: Refusal): Response {
  const headers = { "Tus-Version": TUS_VERSION };
  return Response.json({ success: false, status: { code, description: ERRORS[code][1] } }, { status, headers });
}
