import { openDatabase } from "#shared/database/open.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { isImage } from "#shared/image/type.ts";
import { downloadHeaders } from "#shared/operation/download.ts";
import type { FilesEnv } from "../env.ts";
import { previewKey } from "../image/make-previews.ts";
import { SIDES } from "../image/preview.ts";
import { serveObject } from "../object/serve.ts";
import type { FileRow } from "../table/file.ts";
import { findUploaded } from "./queries.ts";
import { createDownloadToken, isValidToken } from "./token.ts";

/** The content as it comes out of the bucket. Whoever has the address may have it. */
export async function download(file_id: number, token: string, request: Request, env: FilesEnv): Promise<Response> {
  if (!(await isValidToken(token, file_id, env))) throw new ApiError(204);
  return serveContent(await findUploaded(openDatabase(env), file_id), request, env);
}

/** The smaller picture of a picture. */
export async function downloadPreview(
  file_id: number,
  token: string,
  side: string,
  request: Request,
  env: FilesEnv,
): Promise<Response> {
  if (!(await isValidToken(token, file_id, env, "preview"))) throw new ApiError(204);
  return servePreview(await findUploaded(openDatabase(env), file_id), side, request, env);
}

export async function serveContent(
  found: StoredContent | undefined,
  request: Request,
  env: FilesEnv,
): Promise<Response> {
  if (!found?.key) throw new ApiError(204);
  const { mime_type, filename } = found;
  const type = mime_type ?? "application/octet-stream";
  const kind = isImage(type) ? { "Content-Type": type } : downloadHeaders(filename ?? "", type);
  return serveObject(env.BUCKET, found.key, request, { ...kind, ...SAFE_HEADERS });
}

export async function servePreview(
  found: StoredContent | undefined,
  side: string,
  request: Request,
  env: FilesEnv,
): Promise<Response> {
  const wanted = SIDES.find((known) => String(known) === side);
  if (!wanted || !found?.key) throw new ApiError(204);
  return serveObject(env.BUCKET, previewKey(found.key, wanted), request, {
    "Content-Type": "image/jpeg",
    ...SAFE_HEADERS,
  });
}

/** The last part of the address is for the name under which browsers store it. */
export async function createDownloadUrl(base_url: string, { id, name }: { id: number; name: string }, env: FilesEnv) {
  return `${base_url}/file/download/${id}/${await createDownloadToken(id, env)}/${encodeURIComponent(name)}`;
}

/** The smaller one first; null where there are none. */
export async function createPreviewUrls({ id, preview_state }: FileRow, base_url: string, env: FilesEnv) {
  if (preview_state !== "made") return null;
  const token = await createDownloadToken(id, env, "preview");
  return SIDES.toReversed().map((side) => ({
    download_url: `${base_url}/file/download/preview/${side}/${id}/${token}/preview.jpg`,
  }));
}

type StoredContent = Pick<FileRow, "key" | "filename" | "mime_type">;
/** What a customer uploaded is theirs to trust: opened from our address, it may do nothing. */
const SAFE_HEADERS = { "Content-Security-Policy": "default-src 'none'; sandbox", "Cache-Control": "private" };
