import { openDatabase } from "#shared/database/open.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { FilesEnv } from "../env.ts";
import type { FileRow } from "../table/file.ts";
import { completeUpload } from "./complete-upload.ts";
import { type Fields, readForm } from "./form.ts";
import { IncomingContent } from "./incoming-content.ts";
import { beginUpload, endUpload } from "./queries.ts";
import { folderOf } from "./storage/folder.ts";
import { StoredObject } from "./storage/stored-object.ts";
import { requireTicket, type Ticket } from "./token.ts";

/** Receives the upload of a form. The token among the fields proves that the sender has the ticket. */
export async function receiveUpload(file_id: number, request: Request, env: FilesEnv): Promise<FileRow> {
  let begun: Ticket | undefined;
  try {
    const { fields, content } = await readForm(request, async (fields) => {
      const ticket = await requireTicket(file_id, tokenOf(fields), env);
      begun = ticket;
      return openUpload(ticket, lengthOf(request), env);
    });
    const ticket = await requireTicket(file_id, tokenOf(fields), env);
    if (!content) throw new ApiError(233);
    return await completeUpload(ticket, content.sink, { ...content, leavesPieces: false }, env);
  } catch (thrown) {
    // If this fails, too, the sweep repeats it; the first error is thrown.
    if (begun) await endUpload(openDatabase(env), begun).catch(() => undefined);
    throw thrown;
  }
}

/** Opens the sink of an upload. A file that is uploaded already is only compared with the content. */
async function openUpload(ticket: Ticket, maxBytes: number, env: FilesEnv): Promise<IncomingContent> {
  const { state } = await beginUpload(openDatabase(env), ticket, nowMs(env));
  return state === "uploaded" ? new IncomingContent(ticket.size, undefined) : openContent(ticket, maxBytes, env);
}

/** Opens an object for the content. Each attempt has its own; the database decides which one counts. */
export async function openContent(ticket: Ticket, maxBytes: number, env: FilesEnv): Promise<IncomingContent> {
  const key = folderOf(ticket.file_id) + crypto.randomUUID();
  return new IncomingContent(ticket.size, await StoredObject.open(env.BUCKET, key, Math.min(ticket.size, maxBytes)));
}

/** The length of the whole request, an upper bound of the content; infinite without `Content-Length`. */
function lengthOf({ headers }: Request) {
  return Number(headers.get("Content-Length") ?? Number.POSITIVE_INFINITY);
}

function tokenOf(fields: Fields) {
  return fields.get("token") ?? "";
}
