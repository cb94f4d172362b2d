import { createHash, type Hash } from "node:crypto";
import { CHECKSUMS, TUS_VERSION } from "#shared/contract/file/resumable-upload.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { Refusal } from "./refusal.ts";

/** The running hash of a body, and the digest in base64 that its sender expects. */
export type Checksum = { hash: Hash; expected: string };
export type PatchHeaders = { offset: number; length: number | undefined; checksum: Checksum | undefined };

/** The token of the ticket: from the header, or from the query for clients that cannot set headers. */
export function tokenOf({ url, headers }: Request): string {
  const bearer = /^Bearer (\S+)$/i.exec(headers.get("Authorization") ?? "")?.[1];
  return bearer ?? new URL(url).searchParams.get("token") ?? "";
}

export function requireTusVersion({ headers }: Request) {
  if (headers.get("Tus-Resumable") !== TUS_VERSION) throw new Refusal(412, 5);
}

/** The headers of a PATCH that describe its body. */
export function readPatchHeaders({ headers }: Request): PatchHeaders {
  if (headers.get("Content-Type") !== "application/offset+octet-stream") throw new Refusal(415, 5);
  const offset = parseNumber(headers.get("Upload-Offset"));
  if (offset === undefined) throw new ApiError(5);
  const length = parseNumber(headers.get("Content-Length"));
  const checksum = parseChecksum(headers.get("Upload-Checksum"));
  // The key of a piece contains its end, so a body with a checksum needs a length.
  if (checksum && length === undefined) throw new ApiError(5);
  return { offset, length, checksum };
}

function parseChecksum(header: string | null): Checksum | undefined {
  if (header === null) return undefined;
  const [named, expected = ""] = header.trim().split(" ");
  const algorithm = CHECKSUMS.find((known) => known === named);
  if (!algorithm) throw new ApiError(5);
  return { hash: createHash(algorithm), expected };
}

function parseNumber(header: string | null) {
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}
