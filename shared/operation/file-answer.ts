import { downloadHeaders } from "./download.ts";
import { type Format, MEDIA_TYPES } from "./media-type.ts";

/** A complete file; without `named` the browser shows it instead of storing it. */
export function fileAnswer(bytes: Uint8Array, name: string, format: Format, named: boolean): Response {
  const type = MEDIA_TYPES[format];
  const headers = named ? downloadHeaders(`${name}.${format}`, type) : { "Content-Type": type };
  // The gateway passes the body on as a stream, whose length it could not see.
  return new Response(bytes, { headers: { ...headers, "Content-Length": String(bytes.byteLength) } });
}
