import { expect } from "vitest";
import { curlLine } from "./curl-line.ts";
import type { TextAnswer } from "./send-text.ts";

/** A call of a test with its answer, for the explanation of a failure. */
export type CallRecord = {
  baseUrl: string;
  /** The address that serves the system's logs; empty for a system that serves none. */
  controlUrl: string;
  path: string;
  parameters: object;
  headers: Record<string, string>;
  answer: TextAnswer;
};

const MAX_RECORDS = 50;
const MAX_EXPLAINED = 3;
const MAX_REPLY_CHARACTERS = 2000;
const records: (CallRecord & { test: string | undefined })[] = [];

export function recordCall(record: CallRecord) {
  records.push({ ...record, test: expect.getState().currentTestName });
  if (records.length > MAX_RECORDS) records.shift();
}

/**
 * Explains the last calls of a test: each as a line of curl, with its status, request id, reply and what the Workers
 * logged for it.
 */
export async function explainCalls(test: string | undefined): Promise<string> {
  const last = records.filter((record) => record.test === test).slice(-MAX_EXPLAINED);
  return (await Promise.all(last.map(explain))).join("\n\n");
}

async function explain(record: CallRecord): Promise<string> {
  const { status, request_id, text } = record.answer;
  const logs = await logsOf(record, request_id);
  return [
    curlLine(record),
    `  answered ${status}, request ${request_id || "without an id"}: ${text.slice(0, MAX_REPLY_CHARACTERS)}`,
    ...(logs.length > 0 ? logs.map((line) => `  log: ${line}`) : ["  no Worker logged anything for this request"]),
  ].join("\n");
}

async function logsOf({ controlUrl }: CallRecord, request_id: string): Promise<string[]> {
  if (!controlUrl || !request_id) return [];
  const answer = await fetch(`${controlUrl}/logs`).catch(() => undefined);
  const logs = answer?.ok ? ((await answer.json()) as { message: string }[]) : []; // from running-system.ts
  return logs.map(({ message }) => message).filter((message) => message.includes(request_id));
}
