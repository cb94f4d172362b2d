import { Buffer } from "node:buffer";
import type { InStatement, InValue } from "@libsql/client/web";

// The libSQL server's protocol over HTTP ("Hrana" 2), as far as this project uses it.

/** A request to a stream: one statement, or several in one transaction. `text` is its JSON. */
export type StreamRequest = { type: "execute" | "batch"; text: string; size: number };

export type PipelineAnswer = {
  baton: string | null;
  /** Address at which the stream continues, when it differs. */
  base_url?: string | null;
  /** A result per request; a failed request does not affect those behind it. */
  results: StreamResult[];
};
export type StreamResult = { type: "ok"; response: StreamResponse } | { type: "error"; error: Refusal };

type Statement = { sql: string; args: EncodedValue[]; want_rows: true };
type Step = { stmt: Statement; condition?: Condition };
type Condition = { type: "ok"; step: number } | { type: "not"; cond: Condition };
type EncodedValue =
  | { type: "null" }
  | { type: "integer"; value: string }
  | { type: "float"; value: number }
  | { type: "text"; value: string }
  | { type: "blob"; base64: string };
type StatementResult = { cols: { name: string | null }[]; rows: EncodedValue[][] };
type BatchResult = { step_results: (StatementResult | null)[]; step_errors: (Refusal | null)[] };
type StreamResponse =
  | { type: "execute"; result: StatementResult }
  | { type: "batch"; result: BatchResult }
  | { type: "close" };
type Refusal = { message: string; code?: string | null };

/** A value as the database stores it. */
export type Value = string | number | Uint8Array | null;
/** The result of a statement: values by column index. */
export type StatementRows = { columns: string[]; rows: Value[][] };

/** The database refused a statement: it and its transaction had no effect. */
export class DatabaseRefusal extends Error {
  override name = "DatabaseRefusal";
  /** Index of the failed statement within its transaction; the library uses the same name. */
  readonly statementIndex?: number;

  constructor({ message, code }: Refusal, statementIndex?: number) {
    super(code ? `${code}: ${message}` : message);
    this.statementIndex = statementIndex;
  }
}

export function executionOf(statement: InStatement): StreamRequest {
  return toRequest({ type: "execute", stmt: encodeStatement(statement) });
}

/** Each statement runs only if the one before it succeeded; a failure rolls back all. */
export function transactionOf(statements: InStatement[], isWrite: boolean): StreamRequest {
  const texts = [isWrite ? "BEGIN IMMEDIATE" : "BEGIN DEFERRED", ...statements, "COMMIT"];
  const steps = texts.map((statement, index): Step => {
    const stmt = encodeStatement(statement);
    return index === 0 ? { stmt } : { stmt, condition: { type: "ok", step: index - 1 } };
  });
  const committed: Condition = { type: "ok", step: steps.length - 1 };
  steps.push({ stmt: encodeStatement("ROLLBACK"), condition: { type: "not", cond: committed } });
  return toRequest({ type: "batch", batch: { steps } });
}

function toRequest(request: {
  type: StreamRequest["type"];
  stmt?: Statement;
  batch?: { steps: Step[] };
}): StreamRequest {
  const text = JSON.stringify(request);
  return { type: request.type, text, size: text.length };
}

/** The baton of the last answer continues a stream; without one, the server opens a new stream. */
export function pipelineOf(baton: string | undefined, requests: StreamRequest[], closes: boolean): string {
  const texts = requests.map(({ text }) => text);
  if (closes) texts.push('{"type":"close"}');
  return `{"baton":${JSON.stringify(baton ?? null)},"requests":[${texts.join()}]}`;
}

/** Results of the request's statements. Throws `DatabaseRefusal` when the database refused one. */
export function resultsOf(result: StreamResult | undefined): StatementRows[] {
  if (result === undefined) throw new Error("the database left out a request");
  if (result.type === "error") throw new DatabaseRefusal(result.error);
  if (result.response.type === "execute") return [decodeResult(result.response.result)];
  if (result.response.type !== "batch") throw new Error("the database answered another question");
  const { step_results, step_errors } = result.response.result;
  // Without BEGIN and COMMIT. The last step rolls back after a failure; otherwise it fails, as no transaction is left.
  const commit = step_results.length - 2;
  for (const [step, refusal] of step_errors.slice(0, commit + 1).entries()) {
    if (refusal) throw new DatabaseRefusal(refusal, step - 1);
  }
  return step_results.slice(1, commit).map((result) => {
    if (result === null) throw new Error("the database left out a statement");
    return decodeResult(result);
  });
}

/**
 * Whether the stream can be reused: its transactions have ended, and none was refused the lock. After a refusal the
 * server may reserve the lock for this stream and so block other writers until it is closed.
 */
export function isStreamIdle(requests: StreamRequest[], results: StreamResult[]): boolean {
  return requests.every(({ type }, index) => {
    const result = results[index];
    if (result?.type === "error") return type === "execute" && result.error.code !== "SQLITE_BUSY";
    if (result?.response.type !== "batch") return result !== undefined;
    const { step_results } = result.response.result;
    return Boolean(step_results.at(-2) ?? step_results.at(-1));
  });
}

function encodeStatement(statement: InStatement | string): Statement {
  if (typeof statement === "string") return { sql: statement, args: [], want_rows: true };
  const { sql, args = [] } = statement;
  if (!Array.isArray(args)) throw new TypeError("values are bound by their places");
  return { sql, args: args.map(encodeValue), want_rows: true };
}

/** The values that drizzle's columns encode to, and numbers and texts of statements in SQL. */
function encodeValue(value: InValue): EncodedValue {
  if (value === null) return { type: "null" };
  if (typeof value === "string") {
    // The server would refuse the whole request, with all other statements in it.
    if (!value.isWellFormed()) throw new RangeError("the database stores well-formed text");
    return { type: "text", value };
  }
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new RangeError("the database stores finite numbers");
    return { type: "float", value };
  }
  if (typeof value === "boolean") return { type: "integer", value: value ? "1" : "0" };
  if (!(value instanceof Uint8Array)) throw new TypeError("the database stores texts, numbers, booleans and bytes");
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return { type: "blob", base64: bytes.toString("base64") };
}

function decodeResult({ cols, rows }: StatementResult): StatementRows {
  return { columns: cols.map(({ name }) => name ?? ""), rows: rows.map((row) => row.map(decodeValue)) };
}

function decodeValue(value: EncodedValue): Value {
  switch (value.type) {
    case "null":
      return null;
    case "integer": {
      const number = Number(value.value);
      if (!Number.isSafeInteger(number)) throw new RangeError("a number of the database is too large");
      return number;
    }
    case "blob":
      // In a buffer of their own: readers view the bytes as columns from offset 0.
      return Buffer.from(new Uint8Array(Buffer.from(value.base64, "base64")).buffer);
    default:
      return value.value;
  }
}
