import { waitUntil } from "cloudflare:workers";
import { openDatabase } from "#shared/database/open.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { imageTypeOf, isImage } from "#shared/image/type.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { FilesEnv } from "../env.ts";
import { makePreviews } from "../image/make.ts";
import { type Content, type Fields, readForm } from "./form.ts";
import { finishUpload, settleReported } from "./queries.ts";
import { StoredObject } from "./stored.ts";
import { tellOwner } from "./tell.ts";
import { requireTicket, type Ticket } from "./token.ts";

/** Takes in the content of a file; who may send it is shown by the token among the fields. */
export async function receive(file_id: number, request: Request, env: FilesEnv) {
  const { fields, content } = await readForm(request, async (fields) => {
    const { size } = await requireTicket(file_id, tokenIn(fields), env);
    // Every attempt writes for itself; which one counts, the database decides.
    return new StoredObject(env.BUCKET, folderOf(file_id) + crypto.randomUUID(), size);
  });
  const ticket = await requireTicket(file_id, tokenIn(fields), env);
  if (!content) throw new ApiError(233);
  const { uploaded, ...file } = await keep(ticket, content, env);
  const accepted = await tellOwner(env, [{ id: file_id, uploaded }]).catch(() => undefined);
  if (accepted) waitUntil(settleReported(openDatabase(env), [file_id], accepted));
  // What fails here is left to the sweep.
  if (isImage(file.mime_type)) waitUntil(makePreviews(env).catch(() => undefined));
  return file;
}

/** Where all is kept that was ever written for a file. */
export function folderOf(file_id: number) {
  return `upload/${file_id}/`;
}

async function keep(ticket: Ticket, { sink, filename, mime_type }: Content<StoredObject>, env: FilesEnv) {
  try {
    const shown = imageTypeOf(sink.head);
    if (ticket.type === "image" && !shown) throw new ApiError(234);
    await sink.finish();
    const uploaded = nowMs(env);
    const stored = { size: sink.size, mime_type: shown ?? typeOf(mime_type) };
    const content = { ...stored, key: sink.key, filename: (filename ?? "file").slice(0, 255).toWellFormed() };
    const name = await finishUpload(openDatabase(env), ticket, content, uploaded);
    return { id: ticket.file_id, name, ...stored, uploaded };
  } catch (thrown) {
    // After a lost answer it may be the one that counts: then it stays, and goes with the file at the latest.
    if (thrown instanceof ApiError && thrown.code !== 14) await sink.remove();
    throw thrown;
  }
}

function tokenIn(fields: Fields) {
  return fields.get("token") ?? "";
}

/** As its sender calls it; only what looks like an image is one. */
function typeOf(mime_type: string) {
  return MIME_FORM.test(mime_type) ? mime_type : "application/octet-stream";
}

const MIME_FORM = /^(?!image\/)[\w.+-]{1,60}\/[\w.+-]{1,60}$/;
