import { waitUntil } from "cloudflare:workers";
import { randomBytes } from "node:crypto";
import { ApiError } from "#shared/error/api-error.ts";
import { type ByteRange, parseRanges, toContentRange } from "./range.ts";

/** Serves an object of the bucket, or the requested ranges of it; 204 if it does not exist. Objects never change. */
export async function serveObject(
  bucket: R2Bucket,
  key: string,
  { method, headers: requestHeaders }: Request,
  contentHeaders: Record<string, string>,
): Promise<Response> {
  const isPlain = method !== "HEAD" && !requestHeaders.has("Range") && !requestHeaders.has("If-None-Match");
  const object = isPlain ? await bucket.get(key) : await bucket.head(key);
  if (!object) throw new ApiError(204);
  const { size, httpEtag: ETag } = object;
  const headers = { ...contentHeaders, ETag, "Accept-Ranges": "bytes" };
  if (matchesETag(requestHeaders.get("If-None-Match"), ETag)) return new Response(null, { status: 304, headers });
  if (method === "HEAD") return new Response(null, { headers });
  const ranges = isRangeCurrent(requestHeaders.get("If-Range"), ETag)
    ? parseRanges(requestHeaders.get("Range") ?? "", size)
    : undefined;
  if (!ranges) return new Response(hasBody(object) ? object.body : await readBody(bucket, key), { headers });
  const [first, ...more] = ranges;
  if (!first) return new Response(null, { status: 416, headers: { ...headers, "Content-Range": `bytes */${size}` } });
  if (more.length > 0) return serveRanges(bucket, key, ranges, { headers, size });
  const part = { ...headers, "Content-Range": toContentRange(first, size) };
  return new Response(await readBody(bucket, key, first), { status: 206, headers: part });
}

/** Streams several ranges as multipart/byteranges. */
function serveRanges(
  bucket: R2Bucket,
  key: string,
  ranges: ByteRange[],
  { headers, size }: { headers: Record<string, string>; size: number },
): Response {
  const boundary = randomBytes(16).toString("hex");
  const type = headers["Content-Type"] ?? "application/octet-stream";
  const heads = ranges.map((range) =>
    Buffer.from(`\r\n--${boundary}\r\nContent-Type: ${type}\r\nContent-Range: ${toContentRange(range, size)}\r\n\r\n`),
  );
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);
  const bytes = [...heads, end].reduce((sum, { length }) => sum + length, 0);
  const { readable, writable } = new FixedLengthStream(ranges.reduce((sum, { length }) => sum + length, bytes));
  // A client that disconnects ends the stream.
  waitUntil(sendRanges().catch((thrown) => writable.abort(thrown).catch(() => undefined)));
  const several = { ...headers, "Content-Type": `multipart/byteranges; boundary=${boundary}` };
  return new Response(readable, { status: 206, headers: several });

  async function sendRanges() {
    for (const [index, range] of ranges.entries()) {
      await write(heads[index]);
      await (await readBody(bucket, key, range)).pipeTo(writable, { preventClose: true });
    }
    await write(end);
    await writable.close();
  }

  async function write(piece: Uint8Array | undefined) {
    const writer = writable.getWriter();
    await writer.write(piece);
    writer.releaseLock();
  }
}

function hasBody(object: R2Object): object is R2ObjectBody {
  return "body" in object;
}

async function readBody(bucket: R2Bucket, key: string, range?: ByteRange): Promise<ReadableStream> {
  const object = await bucket.get(key, range && { range });
  if (!object) throw new ApiError(204);
  return object.body;
}

/** True if `If-None-Match` names the ETag: the caller has the content already. */
function matchesETag(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.trim() === "*" || header.split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
}

/** True if `If-Range` allows ranges: it is absent or the ETag. Dates are not precise enough. */
function isRangeCurrent(header: string | null, etag: string): boolean {
  return header === null || header.trim() === etag;
}
