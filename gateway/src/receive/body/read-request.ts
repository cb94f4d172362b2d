import { isObject, parseJson } from "#shared/body/json.ts";
import { decodeText } from "#shared/body/text.ts";
import { DEVICE_HEADERS, type DeviceRequest } from "#shared/contract/tracker/device-request.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { FilePart, ReadRequest } from "#shared/operation/declaration.ts";
import { findHash } from "../../credential/find-hash.ts";
import type { BodyCaller } from "./body-caller.ts";
import { announcedBytes, readBytes } from "./bytes.ts";
import { readMultipart } from "./multipart.ts";

/** The parameters of a request; apart from them its hash, which no service gets, and the bytes of its body. */
export type Parameters = Pick<ReadRequest, "typed" | "textual"> & { hash?: unknown; bytes?: number };

/** The parameters of the query, and the hash in query or header; the query's wins. */
export function readQuery({ url, headers }: Request): Parameters {
  const { hash, ...textual } = url.includes("?") ? Object.fromEntries(new URL(url).searchParams) : {};
  return { typed: {}, textual, hash: hash ?? /^(?:FMS|Bearer) (\S+)$/i.exec(headers.get("Authorization") ?? "")?.[1] };
}

/**
 * Adds the parameters of the body (JSON, form or multipart) to those of the query; the body's win. The caller is admitted
 * before the body is parsed, by the hash that is found in its bytes.
 */
export async function readBody(request: Request, query: Parameters, caller: BodyCaller): Promise<Parameters> {
  if (request.body === null || request.method === "GET" || request.method === "HEAD") return query;
  const type = request.headers.get("Content-Type")?.toLowerCase() ?? "";
  const isMultipart = type.startsWith("multipart/");
  // The sender of a large body is counted before the body is received.
  const isLarge = isMultipart || !(announcedBytes(request) <= MAX_STRANGER_BYTES);
  if (query.hash !== undefined || isLarge) await caller.admit(query.hash);
  if (isMultipart) return addTexts(query, await readMultipart(request, MAX_MULTIPART_BYTES, caller));
  const bytes = await readBytes(request, MAX_JSON_BYTES, caller.sender);
  if (bytes.byteLength === 0) return query;
  if (!caller.isKnown) await caller.admit(findHash(bytes) ?? query.hash);
  if (bytes.byteLength > MAX_STRANGER_BYTES) caller.requireKnown();
  const text = decodeText(bytes);
  // Some clients send JSON with the content type of a form.
  const isForm = type.startsWith("application/x-www-form-urlencoded") && !text.trimStart().startsWith("{");
  if (isForm) return addTexts(query, Object.fromEntries(new URLSearchParams(text)));
  const { hash, ...typed } = parseParameters(text);
  return { typed, textual: query.textual, hash: hash ?? query.hash, bytes: bytes.byteLength };
}

function addTexts(query: Parameters, { hash, ...texts }: Record<string, unknown>): Parameters {
  const bytes = Object.values(texts).reduce<number>((sum, text) => sum + bytesOf(text), 0);
  return { typed: {}, textual: { ...query.textual, ...texts }, hash: hash ?? query.hash, bytes };
}

/** About the bytes of a text or file of a form. */
function bytesOf(part: unknown): number {
  return typeof part === "string" ? part.length : (part as FilePart).bytes.byteLength;
}

/** A device's request as the geo service gets it, which parses the body. `network`: the sender's. */
export async function readDeviceRequest(request: Request, network: string): Promise<DeviceRequest> {
  const { method, url, headers } = request;
  const known = DEVICE_HEADERS.map((name) => [name, headers.get(name)] as const);
  return {
    method,
    url,
    content_type: headers.get("Content-Type") ?? "",
    headers: Object.fromEntries(known.filter((header): header is [(typeof header)[0], string] => header[1] !== null)),
    bytes:
      request.body === null
        ? new Uint8Array()
        : await readBytes(request, MAX_JSON_BYTES, { kind: "device", name: network }),
  };
}

function parseParameters(text: string): Record<string, unknown> {
  const value = parseJson(text);
  if (!isObject(value)) throw new ApiError(5);
  return value;
}

/** The longest body without a valid hash that is parsed. */
const MAX_STRANGER_BYTES = 64 * 1024;
const MAX_JSON_BYTES = 4 * 1024 * 1024;
const MAX_MULTIPART_BYTES = 17 * 1024 * 1024;
