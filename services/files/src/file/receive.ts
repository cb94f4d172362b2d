import { openDatabase } from "#shared/database/open.ts";
import { ApiError, isApiError } from "#shared/error/api-error.ts";
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
import { UPLOAD_ATTEMPTS, type UploadAttempt } from "./upload-attempts.ts";

/** Receives the upload of a form. The token among the fields proves that the sender has the ticket. */
export async function receiveUpload(file_id: number, request: Request, env: FilesEnv): Promise<FileRow> {
  let begun: Ticket | undefined;
  let attempt: UploadAttempt | undefined;
  const isSuperseded = () => attempt?.isSuperseded === true;
  try {
    const openSink = async (fields: Fields) => {
      const ticket = await requireTicket(file_id, tokenOf(fields), env);
      attempt = await UPLOAD_ATTEMPTS.begin(file_id);
      if (isSuperseded()) throw new ApiError(15);
      begun = ticket;
      return openUpload(ticket, lengthOf(request), env);
    };
    const { fields, content } = await readForm(request, openSink, isSuperseded);
    const ticket = await requireTicket(file_id, tokenOf(fields), env);
    if (!content) throw new ApiError(233);
    return await completeUpload(ticket, content.sink, { ...content, leavesPieces: false }, env);
  } catch (thrown) {
    // If this fails, too, the sweep repeats it; the first error is thrown.
    if (begun) await endUpload(openDatabase(env), begun).catch(() => undefined);
    throw isSuperseded() && isApiError(thrown) && thrown.code === 5 ? new ApiError(15) : thrown;
  } finally {
    attempt?.end();
  }
}

/** Opens the sink of an upload. A file that is uploaded already is only compared with the content. */
async function openUpload(ticket: Ticket, maxBytes: number, env: FilesEnv): Promise<IncomingContent> {
  const { state } = await beginUpload(openDatabase(env), ticket, nowMs(env));
  return state === "uploaded" ? new IncomingContent(ticket.size, undefined) : openContent(ticket, maxBytes, env);
}

/** Opens an object for the content. Each attempt has its own; the database decides which one counts. */
export function openContent(ticket: Ticket, maxBytes: number, env: FilesEnv): IncomingContent {
  const key = folderOf(ticket.file_id) + crypto.randomUUID();
  const limits = { maxBytes: Math.min(ticket.size, maxBytes), account_id: ticket.account_id };
  return new IncomingContent(ticket.size, new StoredObject(env.BUCKET, key, limits));
}

/** The length of the whole request, an upper bound of the content; infinite without `Content-Length`. */
function lengthOf({ headers }: Request) {
  return Number(headers.get("Content-Length") ?? Number.POSITIVE_INFINITY);
}

function tokenOf(fields: Fields) {
  return fields.get("token") ?? "";
}
