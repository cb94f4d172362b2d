import type { Principal } from "#shared/caller/principal.ts";
import type { IssuedTicket, NewFile, Purpose } from "#shared/contract/file/file-ticket.ts";
import { openDatabase } from "#shared/database/open.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { FilesEnv } from "../env.ts";
import { FILE_FIELD } from "./form.ts";
import { insertOverOldFiles } from "./overwrite.ts";
import { insertFile } from "./queries.ts";
import { computeKeptUntil, ticketLifeMs } from "./retention.ts";
import { createUploadToken } from "./token.ts";

/** Reserves bytes of the account's quota. With `auto_overwrite` old files that nothing refers to make way if it is full. */
export async function issueTicket(
  env: FilesEnv,
  { account_id, user_id, limits, auto_overwrite }: Principal,
  { size, type, filename, metadata = {} }: NewFile,
  { owner, base_url }: Purpose,
): Promise<IssuedTicket> {
  if (size > MAX_FILE_BYTES) throw new ApiError(271);
  const created = nowMs(env);
  const expires = created + ticketLifeMs(env);
  const row = {
    account_id,
    user_id,
    owner,
    type,
    filename,
    metadata,
    size,
    state: "created",
    created,
    expires,
  } as const;
  const file_id = await insertFile(openDatabase(env), row, limits.file_bytes).catch((thrown) => {
    if (!(auto_overwrite && thrown instanceof ApiError && thrown.code === 268)) throw thrown;
    return insertOverOldFiles(env, row, limits.file_bytes);
  });
  const token = await createUploadToken({ file_id, account_id, type, size, expires }, env);
  const url = `${base_url}/file/upload/${file_id}`;
  const ticket = { file_id, url, expires, file_field_name: FILE_FIELD, fields: { token } };
  return { ticket, kept_until: computeKeptUntil(env, expires) };
}

const MAX_FILE_BYTES = 16 * 1024 * 1024;
