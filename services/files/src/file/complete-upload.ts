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

/** Name and type by the sender; `leavesPieces`: the pieces of a resumable upload still have to be removed. */
type ContentDescription = { filename: string | undefined; mime_type: string; leavesPieces: boolean };

/**
 * Makes the received content the file of the ticket, and reports it to the keeper, the service that asked for the ticket.
 * Repeating the upload of the same content answers the same file.
 */
export async function completeUpload(
  ticket: Ticket,
  incoming: IncomingContent,
  description: ContentDescription,
  env: FilesEnv,
): Promise<FileRow> {
  const digest = incoming.digest();
  if (!incoming.stored) return requireSameContent(ticket, digest, env);
  const row = await storeFile(ticket, incoming, incoming.stored, { ...description, digest }, env);
  const { id, owner, uploaded, mime_type } = row;
  // The sweep retries failed previews and deliveries.
  if (mime_type !== null && isImage(mime_type)) waitUntil(makePreviews(env).catch(() => undefined));
  if (uploaded === null) return row;
  const accepted = await deliverToKeeper(env, keeperOf(env, owner), [{ ...row, uploaded }]).catch(() => undefined);
  if (accepted) waitUntil(markDelivered(openDatabase(env), [id], accepted));
  return row;
}

async function storeFile(
  ticket: Ticket,
  incoming: IncomingContent,
  stored: StoredObject,
  { filename, mime_type, leavesPieces, digest }: ContentDescription & { digest: string },
  env: FilesEnv,
) {
  try {
    const imageType = imageTypeOf(incoming.head);
    if (ticket.type === "image" && !imageType) throw new ApiError(234);
    await stored.finish();
    const name = (filename ?? "file").slice(0, 255).toWellFormed();
    const content = {
      filename: name,
      size: incoming.size,
      orientation: incoming.orientation,
      mime_type: imageType ?? toMimeType(mime_type),
      key: stored.key,
      digest,
      leavesPieces,
    };
    return await finishUpload(openDatabase(env), ticket, content, nowMs(env));
  } catch (thrown) {
    const code = thrown instanceof ApiError ? thrown.code : undefined;
    // After a lost answer the row may name this object, so it stays; it is removed with the file or by the cleanup.
    if (code !== undefined && code !== 14) await stored.remove();
    // A concurrent upload came first, perhaps with the same content.
    if (code === 269) return requireSameContent(ticket, digest, env);
    throw thrown;
  }
}

/** The file of the ticket; 269 if it has another content. */
async function requireSameContent(ticket: Ticket, digest: string, env: FilesEnv) {
  const row = await requireLive(openDatabase(env), ticket, nowMs(env));
  if (row.digest !== digest) throw new ApiError(269);
  return row;
}

/** The declared type if it is well-formed. Types of images are not taken from the sender but from the first bytes. */
function toMimeType(mime_type: string) {
  return MIME_TYPE.test(mime_type) ? mime_type : "application/octet-stream";
}

const MIME_TYPE = /^(?!image\/)[\w.+-]{1,60}\/[\w.+-]{1,60}$/;
