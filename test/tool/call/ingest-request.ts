import { readFileSync } from "node:fs";
import type { Message, ParsedMessage } from "../../../services/geo/src/ingest/message.ts";
import { readIngest } from "../../../services/geo/src/ingest/read.ts";
import { isApiError, type Offence } from "../../../shared/error/api-error.ts";
import { DAY_MS } from "../../../shared/time/duration.ts";

/** The tests' present, later than every sample. */
export const NOW = Date.parse("2025-07-01T12:00:00Z");

/** The messages that the service parses from an ingest request; throws if it leaves points encoded. */
export async function messagesFrom(path: string, init: RequestInit = {}): Promise<ParsedMessage[]> {
  return (await readMessages(path, init)).map((message) => {
    if (message.form === "raw") throw new Error("the points were not parsed");
    return message;
  });
}

/** The messages that the service reads from an ingest request. */
export async function readMessages(path: string, init: RequestInit = {}): Promise<Message[]> {
  const request = new Request(`http://127.0.0.1/api-v2/ingest/${path}`, init);
  const sent = {
    method: request.method,
    url: request.url,
    content_type: request.headers.get("Content-Type") ?? "",
    headers: Object.fromEntries(request.headers),
    bytes: new Uint8Array(await request.arrayBuffer()),
  };
  const { format, received } = readIngest(sent, { nowMs: NOW, latestMs: NOW + DAY_MS });
  return format.parse(received);
}

export function post(body: unknown, headers: Record<string, string> = {}): RequestInit {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: text };
}

/** The refusal of an ingest request as `7 points.3.lat`, or its code alone; `accepted` when nothing was refused. */
export async function refusalOf(path: string, init: RequestInit = {}): Promise<string> {
  try {
    await readMessages(path, init);
    return "accepted";
  } catch (thrown) {
    if (!isApiError(thrown)) throw thrown;
    // Code 7 always carries its offences.
    const [offence] = (thrown.extra.errors ?? []) as Offence[];
    return offence ? `${thrown.code} ${offence.parameter}` : `${thrown.code}`;
  }
}

export function fixture(name: string): string {
  return readFileSync(new URL(`../../fixtures/senders/${name}`, import.meta.url).pathname, "utf8");
}

/** The samples of a file with one JSON object a line. */
export function samples(name: string): { request: string; body?: unknown }[] {
  const lines = fixture(name).trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}
