import { parseJson } from "#shared/body/json.ts";
import { decodeText } from "#shared/body/text.ts";
import type { DeviceRequest } from "#shared/contract/tracker/device-request.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { fieldsOf } from "./fields.ts";
import { FORMATS } from "./formats.ts";
import type { IngestRequest } from "./message.ts";
import type { TimeLimits } from "./time.ts";

/** The request's format and the input of its parser. */
export function readIngest({ method, url, content_type, headers, bytes }: DeviceRequest, limits: TimeLimits) {
  const [address = ""] = url.split("#", 1);
  const mark = address.indexOf("?");
  const path = mark === -1 ? address : address.slice(0, mark);
  const format = FORMATS.get(SEGMENT.exec(path)?.[1] ?? "");
  if (!format?.methods.includes(method)) throw new ApiError(112);
  const batch = format.readCompact?.(bytes, limits) ?? null;
  const text = batch || bytes.length === 0 ? "" : decodeText(bytes);
  const isForm = format.form && !isJson(text, content_type);
  const received: IngestRequest = {
    // No spread here: V8 discards compiled code for its result when no such object is left.
    nowMs: limits.nowMs,
    latestMs: limits.latestMs,
    query: fieldsOf(mark === -1 ? "" : address.slice(mark + 1)),
    form: isForm && text !== "" ? fieldsOf(text) : null,
    json: isForm || text.trim() === "" ? undefined : parseJson(text),
    batch,
    header: (name) => headers[name.toLowerCase()] ?? null,
  };
  return { format, received };
}

const SEGMENT = /\/ingest\/([^/]+)\/?$/;

/** Looks at the content first, as command-line tools declare every body as a form. */
function isJson(text: string, contentType: string): boolean {
  if (/^multipart\//i.test(contentType)) throw new ApiError(5);
  return /^\s*[[{]/.test(text) || /^application\/(?:[\w.-]+\+)?json\b/i.test(contentType);
}
