import { ApiError } from "../error/api-error.ts";

/** Decodes UTF-8 and drops the byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new ApiError(5);
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
