import { openDatabase } from "#shared/database/open.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { downloadHeaders } from "#shared/operation/download.ts";
import type { FilesEnv } from "../env.ts";
import { isShown } from "./image-type.ts";
import { findUploaded } from "./queries.ts";
import { downloadToken, opens } from "./token.ts";

/** The content as it comes out of the bucket. Whoever has the address may have it. */
export async function download(file_id: number, token: string, request: Request, env: FilesEnv): Promise<Response> {
  if (!(await opens(token, file_id, env))) throw new ApiError(204);
  const found = await findUploaded(openDatabase(env), file_id);
  if (!found?.key) throw new ApiError(204);
  const object = await take(env.BUCKET, found.key, request);
  if (!object) throw new ApiError(204);
  const { mime_type, filename } = found;
  const type = mime_type ?? "application/octet-stream";
  const headers: Record<string, string> = {
    ...(isShown(type) ? { "Content-Type": type } : downloadHeaders(filename ?? "", type)),
    ETag: object.httpEtag,
    "Cache-Control": "private",
    "Accept-Ranges": "bytes",
  };
  if (!hasBody(object)) return new Response(null, { status: request.method === "HEAD" ? 200 : 304, headers });
  const { start, length } = partOf(object);
  if (length === object.size) return new Response(object.body, { headers });
  headers["Content-Range"] = `bytes ${start}-${start + length - 1}/${object.size}`;
  return new Response(object.body, { status: 206, headers });
}

/** The last part of the address is for the name under which browsers store it. */
export async function downloadUrl(base_url: string, { id, name }: { id: number; name: string }, env: FilesEnv) {
  return `${base_url}/file/download/${id}/${await downloadToken(id, env)}/${encodeURIComponent(name)}`;
}

/** Without a body where nothing has changed since. */
async function take(bucket: R2Bucket, key: string, { method, headers }: Request) {
  const range = headers.get("Range");
  const known = headers.get("If-None-Match");
  if (method === "HEAD") return bucket.head(key);
  const onlyIf = new Headers(known === null ? {} : { "If-None-Match": known });
  if (range === null) return bucket.get(key, { onlyIf });
  // One that the file does not have counts as little as one that nobody understands.
  return bucket.get(key, { onlyIf, range: new Headers({ Range: range }) }).catch(() => bucket.get(key, { onlyIf }));
}

function hasBody(object: R2Object): object is R2ObjectBody {
  return "body" in object;
}

function partOf({ size, range }: R2ObjectBody) {
  // It may name all three, some of them undefined.
  const { offset, length, suffix }: { offset?: number; length?: number; suffix?: number } = range ?? {};
  if (suffix !== undefined) return { start: Math.max(size - suffix, 0), length: Math.min(suffix, size) };
  return { start: offset ?? 0, length: length ?? size - (offset ?? 0) };
}
