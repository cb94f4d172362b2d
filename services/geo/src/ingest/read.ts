import { ApiError } from "#shared/api-error.ts";
import { FORMATS } from "./formats.ts";
import { isDeeperThan, MAX_DEPTH } from "./json.ts";
import type { Received } from "./message.ts";
import type { TimeLimits } from "./time.ts";

const MAX_BYTES = 4 * 1024 * 1024;

/** The request's format and what its parser takes. */
export async function readIngest(request: Request, limits: TimeLimits) {
  const { pathname, searchParams: query } = new URL(request.url);
  const format = FORMATS.get(SEGMENT.exec(pathname)?.[1] ?? "");
  if (!format?.methods.includes(request.method)) throw new ApiError(112);
  const text = request.method === "GET" ? "" : await readText(request);
  const isForm = format.form && !isJson(text, request.headers.get("Content-Type") ?? "");
  const received: Received = {
    ...limits,
    query,
    form: isForm ? new URLSearchParams(text) : null,
    json: isForm || text.trim() === "" ? undefined : parseJson(text),
    header: (name) => request.headers.get(name),
  };
  return { format, received };
}

const SEGMENT = /\/ingest\/([^/]+)\/?$/;

/** By content first: command-line tools call everything they send a form. */
function isJson(text: string, contentType: string): boolean {
  if (/^multipart\//i.test(contentType)) throw new ApiError(5);
  return /^\s*[[{]/.test(text) || /^application\/(?:[\w.-]+\+)?json\b/i.test(contentType);
}

function parseJson(text: string): unknown {
  const json = parsed(text);
  if (isDeeperThan(MAX_DEPTH, json)) throw new ApiError(5);
  return json;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(5);
  }
}

/** The announced length is only a hint: the body may come in chunks, without one. */
async function readText(request: Request): Promise<string> {
  if (Number(request.headers.get("Content-Length")) > MAX_BYTES) throw new ApiError(9);
  if (!request.body) return "";
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let text = "";
  let bytes = 0;
  // Leaving the loop by a throw cancels the body.
  for await (const chunk of request.body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new ApiError(9);
    text += decoded(decoder, chunk);
  }
  return text + decoded(decoder);
}

function decoded(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw new ApiError(5);
  }
}
