import { waitUntil } from "cloudflare:workers";
import { openDatabase } from "#shared/database/open.ts";
import { ApiError, isApiError } from "#shared/error/api-error.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { FilesEnv } from "../../env.ts";
import type { FileRow } from "../../table/file.ts";
import { completeUpload } from "../complete-upload.ts";
import { beginUpload, endTicket, requireLive } from "../queries.ts";
import { openContent } from "../receive.ts";
import { requireTicket, type Ticket } from "../token.ts";
import { UPLOAD_ATTEMPTS } from "../upload-attempts.ts";
import { endOf, type Piece } from "./chain.ts";
import {
  type AttemptedBody,
  appendPieces,
  appendWithChecksum,
  copyPieces,
  findPieces,
  mergePieces,
  removePieces,
} from "./pieces.ts";
import { Refusal } from "./refusal.ts";
import { type PatchHeaders, readPatchHeaders, requireTusVersion, tokenOf } from "./request.ts";

/** Answers the offset of an upload. A complete content whose last answer was lost becomes the file here. */
export async function showOffset(file_id: number, request: Request, env: FilesEnv): Promise<Response> {
  requireTusVersion(request);
  const ticket = await requireTicket(file_id, tokenOf(request), env);
  const [row, { chain }] = await Promise.all([
    requireLive(openDatabase(env), ticket, nowMs(env)),
    findPieces(env.BUCKET, file_id),
  ]);
  const file =
    row.state !== "uploaded" && endOf(chain) === ticket.size ? await completeContent(ticket, chain, env) : row;
  return toOffsetResponse(200, ticket, file.state === "uploaded" ? file.size : endOf(chain), file);
}

/**
 * Appends the body to the content, which becomes the file with its last byte. An older attempt is ended first and what it
 * received is stored, so the offset may be behind the caller's: 409. 423 if a newer attempt ended this one.
 */
export async function addContent(file_id: number, request: Request, env: FilesEnv): Promise<Response> {
  requireTusVersion(request);
  const ticket = await requireTicket(file_id, tokenOf(request), env);
  const addition = readPatchHeaders(request);
  const attempt = await UPLOAD_ATTEMPTS.begin(file_id);
  try {
    if (attempt.isSuperseded) throw SUPERSEDED;
    return await addInAttempt(ticket, addition, { body: request.body, isSuperseded: () => attempt.isSuperseded }, env);
  } catch (thrown) {
    throw attempt.isSuperseded && isApiError(thrown) && thrown.code === 5 ? SUPERSEDED : thrown;
  } finally {
    attempt.end();
  }
}

async function addInAttempt(
  ticket: Ticket,
  addition: PatchHeaders,
  attempted: AttemptedBody,
  env: FilesEnv,
): Promise<Response> {
  const [row, found] = await Promise.all([
    beginUpload(openDatabase(env), ticket, nowMs(env)),
    findPieces(env.BUCKET, ticket.file_id),
  ]);
  const known = row.state === "uploaded" ? row.size : endOf(found.chain);
  if (addition.offset !== known) throw new Refusal(409, 269);
  if (row.state === "uploaded") {
    if (addition.length !== 0) throw new Refusal(409, 269);
    return toOffsetResponse(204, ticket, row.size, row);
  }
  const end = await appendContent(ticket, addition, attempted, env);
  if (end < ticket.size) {
    if (found.all.length >= MAX_PIECES) waitUntil(mergeAllPieces(ticket, env).catch(() => undefined));
    return toOffsetResponse(204, ticket, end, row);
  }
  const { chain } = await findPieces(env.BUCKET, ticket.file_id);
  return toOffsetResponse(204, ticket, end, await completeContent(ticket, chain, env));
}

/** Ends the ticket and frees its reserved bytes. */
export async function cancelUpload(file_id: number, request: Request, env: FilesEnv): Promise<Response> {
  requireTusVersion(request);
  const ticket = await requireTicket(file_id, tokenOf(request), env);
  await endTicket(openDatabase(env), ticket, nowMs(env));
  return new Response(null, { status: 204 });
}

function appendContent(
  { file_id, account_id, size }: Ticket,
  { offset, length, checksum }: PatchHeaders,
  attempted: AttemptedBody,
  env: FilesEnv,
) {
  if (length !== undefined && offset + length > size) throw new ApiError(271);
  const remaining = { file_id, account_id, start: offset, maxBytes: length ?? size - offset };
  if (remaining.maxBytes === 0) return offset;
  return checksum
    ? appendWithChecksum(env.BUCKET, remaining, attempted, checksum)
    : appendPieces(env.BUCKET, remaining, attempted);
}

async function completeContent(ticket: Ticket, chain: Piece[], env: FilesEnv): Promise<FileRow> {
  const incoming = openContent(ticket, ticket.size, env);
  try {
    await copyPieces(env.BUCKET, chain, incoming);
  } catch (thrown) {
    await incoming.remove();
    throw thrown;
  }
  const description = { filename: undefined, mime_type: "", leavesPieces: true };
  try {
    const file = await completeUpload(ticket, incoming, description, env);
    // The cleanup deletes the rest if this is interrupted.
    waitUntil(removePieces(env.BUCKET, ticket.file_id));
    return file;
  } catch (thrown) {
    // Not an image: the ticket stays usable for another content.
    if (thrown instanceof ApiError && thrown.code === 234) await removePieces(env.BUCKET, ticket.file_id);
    throw thrown;
  }
}

async function mergeAllPieces(ticket: Ticket, env: FilesEnv) {
  await mergePieces(env.BUCKET, ticket, await findPieces(env.BUCKET, ticket.file_id));
}

function toOffsetResponse(status: number, ticket: Ticket, offset: number, { state, size }: FileRow) {
  const headers: Record<string, string> = {
    "Upload-Offset": String(offset),
    "Upload-Length": String(state === "uploaded" ? size : ticket.size),
  };
  if (state !== "uploaded") headers["Upload-Expires"] = new Date(ticket.expires).toUTCString();
  return new Response(null, { status, headers });
}

const SUPERSEDED = new Refusal(423, 15);
/** Above this number pieces are merged. */
const MAX_PIECES = 64;
