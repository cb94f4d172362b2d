import { openDatabase } from "#shared/database/open.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { FilesEnv } from "../env.ts";
import type { FileRow } from "../table/file.ts";
import { folderOf } from "./folder.ts";
import { type Fields, readForm } from "./form.ts";
import { Intake } from "./intake.ts";
import { keep } from "./keep.ts";
import { beginUpload, endUpload } from "./queries.ts";
import { StoredObject } from "./stored.ts";
import { requireTicket, type Ticket } from "./token.ts";

/** Takes in the content of a file; who may send it is shown by the token among the fields. */
export async function receive(file_id: number, request: Request, env: FilesEnv): Promise<FileRow> {
  let begun: Ticket | undefined;
  try {
    const { fields, content } = await readForm(request, async (fields) => {
      const ticket = await requireTicket(file_id, tokenIn(fields), env);
      begun = ticket;
      return takeIn(ticket, lengthOf(request), env);
    });
    const ticket = await requireTicket(file_id, tokenIn(fields), env);
    if (!content) throw new ApiError(233);
    return await keep(ticket, content.sink, { ...content, leavesPieces: false }, env);
  } catch (thrown) {
    // Whatever went wrong is told, also where this fails: the sweep does it again.
    if (begun) await endUpload(openDatabase(env), begun).catch(() => undefined);
    throw thrown;
  }
}

/** What has come in before is only compared. */
async function takeIn(ticket: Ticket, most: number, env: FilesEnv): Promise<Intake> {
  const { state } = await beginUpload(openDatabase(env), ticket, nowMs(env));
  return state === "uploaded" ? new Intake(ticket.size, undefined) : openIntake(ticket, most, env);
}

/** Every attempt writes for itself; which one counts, the database decides. */
export async function openIntake(ticket: Ticket, most: number, env: FilesEnv): Promise<Intake> {
  const key = folderOf(ticket.file_id) + crypto.randomUUID();
  return new Intake(ticket.size, await StoredObject.open(env.BUCKET, key, Math.min(ticket.size, most)));
}

/** No content is longer than what it is sent in; where that is not told, it may be as long as any. */
function lengthOf({ headers }: Request) {
  return Number(headers.get("Content-Length") ?? Number.POSITIVE_INFINITY);
}

function tokenIn(fields: Fields) {
  return fields.get("token") ?? "";
}
