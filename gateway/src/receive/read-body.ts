import { isObject, parseJson } from "#shared/body/json.ts";
import { textOf } from "#shared/body/text.ts";
import { unlessStalled } from "#shared/body/unless-stalled.ts";
import { DEVICE_HEADERS, type DeviceRequest } from "#shared/contract/device-request.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { FilePart, ReadRequest } from "#shared/operation/declaration.ts";

export type Parameters = Pick<ReadRequest, "typed" | "textual">;

/** The parameters of a request: the query, and over it the body, whichever form it has. */
export async function readParameters(request: Request): Promise<Parameters> {
  const textual = readQuery(request);
  if (request.body === null || request.method === "GET" || request.method === "HEAD") return { typed: {}, textual };
  const type = request.headers.get("Content-Type")?.toLowerCase() ?? "";
  if (type.startsWith("multipart/")) {
    const bytes = await readBytes(request, MULTIPART_BYTES);
    return { typed: {}, textual: { ...textual, ...(await partsOf(bytes, request)) } };
  }
  const bytes = await readBytes(request, JSON_BYTES);
  if (bytes.byteLength === 0) return { typed: {}, textual };
  const text = textOf(bytes);
  // Some clients send JSON and call it a form, because that is what they call everything.
  const isForm = type.startsWith("application/x-www-form-urlencoded") && !text.trimStart().startsWith("{");
  if (isForm) return { typed: {}, textual: { ...textual, ...Object.fromEntries(new URLSearchParams(text)) } };
  return { typed: parametersOf(text), textual };
}

export function readQuery({ url }: Request): Record<string, unknown> {
  return url.includes("?") ? Object.fromEntries(new URL(url).searchParams) : {};
}

/** A device's request: what it holds, its service makes out. */
export async function readDeviceRequest(request: Request): Promise<DeviceRequest> {
  const { method, url, headers } = request;
  const shown = DEVICE_HEADERS.map((name) => [name, headers.get(name)] as const);
  return {
    method,
    url,
    content_type: headers.get("Content-Type") ?? "",
    headers: Object.fromEntries(shown.filter((header): header is [(typeof header)[0], string] => header[1] !== null)),
    bytes: request.body === null ? new Uint8Array() : await readBytes(request, JSON_BYTES),
  };
}

/**
 * Takes in and forgets a body that nobody wants: a client that is still sending when the answer comes sees a broken
 * connection instead of it. Only so much, though; whoever sends more is cut off.
 */
export async function discardBody(request: Request): Promise<void> {
  if (!request.body || request.bodyUsed) return;
  const reader = request.body.getReader();
  for (let size = 0; size < DISCARDED_BYTES; ) {
    const { done, value } = await unlessStalled<ReadableStreamReadResult<Uint8Array>>(reader.read());
    if (done) return;
    size += value.byteLength;
  }
  await reader.cancel();
}

/** Keeps no more of a body than the limit, and drops one that stalls. */
async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const announced = Number(request.headers.get("Content-Length") ?? Number.NaN);
  if (announced > limit) {
    await discardBody(request);
    throw new ApiError(9);
  }
  // A body of announced length is read in one go; the length is the server's to enforce.
  if (announced <= ONE_GO_BYTES) return new Uint8Array(await unlessStalled(request.arrayBuffer()));
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  while (reader) {
    const { done, value } = await unlessStalled<ReadableStreamReadResult<Uint8Array>>(reader.read());
    if (done) break;
    size += value.byteLength;
    if (size > DISCARDED_BYTES) {
      await reader.cancel();
      break;
    }
    if (size <= limit) parts.push(value);
  }
  if (size > limit) throw new ApiError(9);
  return Buffer.concat(parts);
}

async function partsOf(bytes: Uint8Array, request: Request): Promise<Record<string, unknown>> {
  const parts: Record<string, unknown> = {};
  const headers = { "Content-Type": request.headers.get("Content-Type") ?? "" };
  const form = await new Response(bytes, { headers }).formData().catch(() => {
    throw new ApiError(5);
  });
  for (const [name, value] of form) parts[name] = typeof value === "string" ? value : await fileOf(value);
  return parts;
}

async function fileOf(file: File): Promise<FilePart> {
  return { name: file.name, type: file.type, bytes: new Uint8Array(await file.arrayBuffer()) };
}

function parametersOf(text: string): Record<string, unknown> {
  const value = parseJson(text);
  if (!isObject(value)) throw new ApiError(5);
  return value;
}

const JSON_BYTES = 4 * 1024 * 1024;
const MULTIPART_BYTES = 17 * 1024 * 1024;
const DISCARDED_BYTES = 64 * 1024 * 1024;
const ONE_GO_BYTES = 256 * 1024;
