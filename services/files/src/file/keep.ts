import { waitUntil } from "cloudflare:workers";
import { openDatabase } from "#shared/database/open.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { imageTypeOf, isImage } from "#shared/image/type.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { FilesEnv } from "../env.ts";
import { makePreviews } from "../image/make.ts";
import type { FileRow } from "../table/file.ts";
import type { Intake } from "./intake.ts";
import { finishUpload, requireLive, settleReported } from "./queries.ts";
import type { StoredObject } from "./stored.ts";
import { keeperOf, tellKeeper } from "./tell.ts";
import type { Ticket } from "./token.ts";

/** What a sender calls its content, and whether it came in pieces, which are still there. */
type Names = { filename: string | undefined; mime_type: string; leavesPieces: boolean };

/** The file that a content becomes, known to the service whose ticket it is. Sent again, it is the file that it is already. */
export async function keep(ticket: Ticket, intake: Intake, names: Names, env: FilesEnv): Promise<FileRow> {
  const digest = intake.digest();
  if (!intake.stored) return requireSame(ticket, digest, env);
  const row = await finish(ticket, intake, intake.stored, { ...names, digest }, env);
  const { id, owner, uploaded, mime_type } = row;
  // What fails here is left to the sweep.
  if (mime_type !== null && isImage(mime_type)) waitUntil(makePreviews(env).catch(() => undefined));
  if (uploaded === null) return row;
  const accepted = await tellKeeper(env, keeperOf(env, owner), [{ ...row, uploaded }]).catch(() => undefined);
  if (accepted) waitUntil(settleReported(openDatabase(env), [id], accepted));
  return row;
}

async function finish(
  ticket: Ticket,
  { head, size }: Intake,
  stored: StoredObject,
  { filename, mime_type, leavesPieces, digest }: Names & { digest: string },
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
      mime_type: shown ?? typeOf(mime_type),
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
    if (code === 269) return requireSame(ticket, digest, env);
    throw thrown;
  }
}

/** 269 where the ticket was used for another content. */
async function requireSame(ticket: Ticket, digest: string, env: FilesEnv) {
  const row = await requireLive(openDatabase(env), ticket, nowMs(env));
  if (row.digest !== digest) throw new ApiError(269);
  return row;
}

/** As its sender calls it; only what looks like an image is one. */
function typeOf(mime_type: string) {
  return MIME_FORM.test(mime_type) ? mime_type : "application/octet-stream";
}

const MIME_FORM = /^(?!image\/)[\w.+-]{1,60}\/[\w.+-]{1,60}$/;
