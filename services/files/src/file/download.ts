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

/** Streams the content of a file from the bucket to a caller with a valid token. */
export async function download(file_id: number, token: string, request: Request, env: FilesEnv): Promise<Response> {
  if (!(await isValidToken(token, file_id, env))) throw new ApiError(204);
  return serveContent(await findUploaded(openDatabase(env), file_id), request, env);
}

/** Streams the preview of an image to a caller with a valid token. */
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
  file: StoredContent | undefined,
  request: Request,
  env: FilesEnv,
): Promise<Response> {
  if (!file?.key) throw new ApiError(204);
  const { mime_type, filename } = file;
  const type = mime_type ?? "application/octet-stream";
  const kind = isImage(type) ? { "Content-Type": type } : downloadHeaders(filename ?? "", type);
  return serveObject(env.BUCKET, file.key, request, { ...kind, ...SAFE_HEADERS });
}

export async function servePreview(
  file: StoredContent | undefined,
  side: string,
  request: Request,
  env: FilesEnv,
): Promise<Response> {
  const knownSide = SIDES.find((known) => String(known) === side);
  if (!knownSide || !file?.key) throw new ApiError(204);
  return serveObject(env.BUCKET, previewKey(file.key, knownSide), request, {
    "Content-Type": "image/jpeg",
    ...SAFE_HEADERS,
  });
}

/** The URL of a download. Browsers save the file under its last segment. */
export async function createDownloadUrl(base_url: string, { id, name }: { id: number; name: string }, env: FilesEnv) {
  return `${base_url}/file/download/${id}/${await createDownloadToken(id, env)}/${encodeURIComponent(name)}`;
}

/** The URLs of the previews, the smaller one first; null without previews. */
export async function createPreviewUrls({ id, preview_state }: FileRow, base_url: string, env: FilesEnv) {
  if (preview_state !== "made") return null;
  const token = await createDownloadToken(id, env, "preview");
  return SIDES.toReversed().map((side) => ({
    download_url: `${base_url}/file/download/preview/${side}/${id}/${token}/preview.jpg`,
  }));
}

type StoredContent = Pick<FileRow, "key" | "filename" | "mime_type">;
/** Uploaded content is untrusted: in a browser it may not run scripts or load anything under our origin. */
const SAFE_HEADERS = { "Content-Security-Policy": "default-src 'none'; sandbox", "Cache-Control": "private" };
