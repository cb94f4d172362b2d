import { waitUntil } from "cloudflare:workers";
import { openDatabase } from "#shared/database/open.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { imageTypeOf, isImage } from "#shared/image/type.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { FilesEnv } from "../env.ts";
import { makePreviews } from "../image/make-previews.ts";
import type { FileRow } from "../table/file.ts";
import { deliverToKeeper, keeperOf } from "./deliver.ts";
import type { IncomingContent } from "./incoming-content.ts";
import { finishUpload, markDelivered, requireLive } from "./queries.ts";
import type { StoredObject } from "./storage/stored-object.ts";
import type { Ticket } from "./token.ts";

/** What a sender calls its content, and whether it came in pieces, which are still there. */
type ContentDescription = { filename: string | undefined; mime_type: string; leavesPieces: boolean };

/** The file that a content becomes, known to the service whose ticket it is. Sent again, it is the file that it is already. */
export async function completeUpload(
  ticket: Ticket,
  intake: IncomingContent,
  names: ContentDescription,
  env: FilesEnv,
): Promise<FileRow> {
  const digest = intake.digest();
  if (!intake.stored) return requireSameContent(ticket, digest, env);
  const row = await storeFile(ticket, intake, intake.stored, { ...names, digest }, env);
  const { id, owner, uploaded, mime_type } = row;
  // What fails here is left to the sweep.
  if (mime_type !== null && isImage(mime_type)) waitUntil(makePreviews(env).catch(() => undefined));
  if (uploaded === null) return row;
  const accepted = await deliverToKeeper(env, keeperOf(env, owner), [{ ...row, uploaded }]).catch(() => undefined);
  if (accepted) waitUntil(markDelivered(openDatabase(env), [id], accepted));
  return row;
}

async function storeFile(
  ticket: Ticket,
  { head, size }: IncomingContent,
  stored: StoredObject,
  { filename, mime_type, leavesPieces, digest }: ContentDescription & { digest: string },
  env: FilesEnv,
) {
  try {
    const shown = imageTypeOf(head);
    if (ticket.type === "image" && !shown) throw new ApiError(234);
    await stored.finish();
    const name = (filename ?? "file").slice(0, 255).toWellFormed();
    const content = {
      filename: name,
      size,
      mime_type: shown ?? toMimeType(mime_type),
      key: stored.key,
      digest,
      leavesPieces,
    };
    return await finishUpload(openDatabase(env), ticket, content, nowMs(env));
  } catch (thrown) {
    const code = thrown instanceof ApiError ? thrown.code : undefined;
    // After a lost answer it may be the one that counts: then it stays, and goes with the file at the latest.
    if (code !== undefined && code !== 14) await stored.remove();
    // Another attempt was first: perhaps the same content's.
    if (code === 269) return requireSameContent(ticket, digest, env);
    throw thrown;
  }
}

/** 269 where the ticket was used for another content. */
async function requireSameContent(ticket: Ticket, digest: string, env: FilesEnv) {
  const row = await requireLive(openDatabase(env), ticket, nowMs(env));
  if (row.digest !== digest) throw new ApiError(269);
  return row;
}

/** As its sender calls it; only what looks like an image is one. */
function toMimeType(mime_type: string) {
  return MIME_TYPE.test(mime_type) ? mime_type : "application/octet-stream";
}

const MIME_TYPE = /^(?!image\/)[\w.+-]{1,60}\/[\w.+-]{1,60}$/;
