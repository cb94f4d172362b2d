import { ApiError } from "../error/api-error.ts";

/** A body's text, without the mark that it may begin with. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new ApiError(5);
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
