import { TUS_VERSION } from "#shared/contract/file/resumable-upload.ts";
import { ERRORS, type ErrorCode } from "#shared/error/api-error.ts";

/** An error whose HTTP status the tus protocol defines, instead of the status of its code. */
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
