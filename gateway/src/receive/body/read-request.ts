import { isObject, parseJson } from "#shared/body/json.ts";
import { decodeText } from "#shared/body/text.ts";
import { DEVICE_HEADERS, type DeviceRequest } from "#shared/contract/tracker/device-request.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { ReadRequest } from "#shared/operation/declaration.ts";
import { announcedBytes, readBytes } from "./bytes.ts";
import { readMultipart } from "./multipart.ts";

/** The parameters of a request, and apart from them its hash, which no service gets. */
export type Parameters = Pick<ReadRequest, "typed" | "textual"> & { hash?: unknown };

/** The parameters of the query, and the hash in query or header; the query's wins. */
export function readQuery({ url, headers }: Request): Parameters {
  const { hash, ...textual } = url.includes("?") ? Object.fromEntries(new URL(url).searchParams) : {};
  return { typed: {}, textual, hash: hash ?? /^(?:FMS|Bearer) (\S+)$/i.exec(headers.get("Authorization") ?? "")?.[1] };
}

/** Adds the parameters of the body (JSON, form or multipart) to those of the query; the body's win. */
export async function readBody(request: Request, query: Parameters): Promise<Parameters> {
  if (request.body === null || request.method === "GET" || request.method === "HEAD") return query;
  const type = request.headers.get("Content-Type")?.toLowerCase() ?? "";
  if (type.startsWith("multipart/")) return addTexts(query, await readMultipart(request, MAX_MULTIPART_BYTES));
  const bytes = await readBytes(request, MAX_JSON_BYTES);
  if (bytes.byteLength === 0) return query;
  const text = decodeText(bytes);
  // Some clients send JSON with the content type of a form.
  const isForm = type.startsWith("application/x-www-form-urlencoded") && !text.trimStart().startsWith("{");
  if (isForm) return addTexts(query, Object.fromEntries(new URLSearchParams(text)));
  const { hash, ...typed } = parseParameters(text);
  return { typed, textual: query.textual, hash: hash ?? query.hash };
}

function addTexts(query: Parameters, { hash, ...texts }: Record<string, unknown>): Parameters {
  return { typed: {}, textual: { ...query.textual, ...texts }, hash: hash ?? query.hash };
}

/** True if the body may be large. The gateway counts such calls before it reads the body. */
export function isExpensive(request: Request): boolean {
  if (request.body === null) return false;
  const isMultipart = request.headers.get("Content-Type")?.toLowerCase().startsWith("multipart/");
  return isMultipart || !(announcedBytes(request) <= MAX_CHEAP_BYTES);
}

/** A device's request as the geo service gets it, which parses the body. */
export async function readDeviceRequest(request: Request): Promise<DeviceRequest> {
  const { method, url, headers } = request;
  const known = DEVICE_HEADERS.map((name) => [name, headers.get(name)] as const);
  return {
    method,
    url,
    content_type: headers.get("Content-Type") ?? "",
    headers: Object.fromEntries(known.filter((header): header is [(typeof header)[0], string] => header[1] !== null)),
    bytes: request.body === null ? new Uint8Array() : await readBytes(request, MAX_JSON_BYTES),
  };
}

function parseParameters(text: string): Record<string, unknown> {
  const value = parseJson(text);
  if (!isObject(value)) throw new ApiError(5);
  return value;
}

const MAX_CHEAP_BYTES = 64 * 1024;
const MAX_JSON_BYTES = 4 * 1024 * 1024;
const MAX_MULTIPART_BYTES = 17 * 1024 * 1024;
