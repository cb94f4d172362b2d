import { backoffMs, type Pause } from "./pause.ts";
import type { Fetch } from "./transport.ts";
import { refusalOf } from "./transport.ts";

/** The ticket that an operation such as `/checkin/image/create` answers. */
export type Ticket = { file_id: number; url: string; fields: Record<string, string> };
export type Uploaded = { file_id: number };

type Options = { fetch: Fetch; pause: Pause; signal?: AbortSignal };

const VERSION = { "Tus-Resumable": "1.0.0" };
const MAX_FAILURES = 8;
/** Another attempt with the ticket goes on, or has ended: the offset is asked for again. */
const ANOTHER_ATTEMPT = [409, 423];

/** Uploads a file by the protocol tus 1.0, in which the server knows how much of it has arrived. */
export async function uploadFile(
  { file_id, url, fields }: Ticket,
  file: Blob,
  { fetch, pause, signal }: Options,
): Promise<Uploaded> {
  const headers = { ...VERSION, Authorization: `Bearer ${fields.token ?? ""}` };
  for (let failures = 0; ; failures++) {
    if (failures > 0) await pause(backoffMs(failures), signal);
    try {
      const offset = await offsetOf();
      if (offset === file.size) return { file_id };
      await sendFrom(offset);
      return { file_id };
    } catch (thrown) {
      // A refusal stays one; a connection that broke may work the next time.
      if (signal?.aborted || failures === MAX_FAILURES || !(thrown instanceof Interrupted)) throw thrown;
    }
  }

  async function offsetOf(): Promise<number> {
    const response = await ask({ method: "HEAD", headers });
    return Number(response.headers.get("Upload-Offset"));
  }

  function sendFrom(offset: number) {
    const type = { "Content-Type": "application/offset+octet-stream" };
    return ask({
      method: "PATCH",
      headers: { ...headers, ...type, "Upload-Offset": String(offset) },
      body: file.slice(offset),
    });
  }

  async function ask(request: RequestInit): Promise<Response> {
    const response = await fetch(url, { ...request, signal: signal ?? null }).catch((cause) => {
      throw new Interrupted("The upload was interrupted.", { cause });
    });
    if (response.ok) return response;
    const refusal = await refusalOf("upload", response);
    const isTemporary = response.status >= 500 || response.status === 429 || ANOTHER_ATTEMPT.includes(response.status);
    throw isTemporary ? new Interrupted(refusal.message, { cause: refusal }) : refusal;
  }
}

class Interrupted extends Error {
  override name = "Interrupted";
}
