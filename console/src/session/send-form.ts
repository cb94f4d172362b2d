import type { CallPath, Reply } from "../../../clients/typescript/src/index.ts";
import { ApiError } from "./api.ts";
import { watchedFetch } from "./connection.ts";
import { currentSession, markEnded } from "./session.ts";

/** Codes for a hash that is unknown or has ended. */
const ENDED = [3, 4];

/** Calls an operation that takes a file, as `multipart/form-data`, in the present session. */
export async function sendForm<Path extends CallPath>(
  path: Path,
  file: File,
  fields: Record<string, string | number | boolean> = {},
): Promise<Reply<Path>> {
  const session = currentSession();
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, String(value));
  body.append("file", file);
  const headers: Record<string, string> = session.status === "open" ? { Authorization: `Bearer ${session.hash}` } : {};
  const response = await watchedFetch(`${location.origin}/api-v2${path}`, { method: "POST", headers, body });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  const refusal = new ApiError(path, response, answer);
  if (session.status === "open" && ENDED.includes(refusal.code)) markEnded(session.hash);
  throw refusal;
}
