import type { InStatement } from "@libsql/client/web";
import type { StatementRows } from "../../libsql/pipeline.ts";
import { type Database, databaseOf } from "../open.ts";
import type { KeyedCall } from "./keyed-call.ts";

/** The database of a keyed call, and what its transactions have stored. */
export type Recording = {
  database: Database;
  /** Whether a transaction with the row of the key was committed. */
  readonly isStored: boolean;
  /** `row_id` of that row. */
  readonly rowId: number | null;
};

/**
 * A database whose first committed transaction with changes also stores the row of the key, in front: a repeated call fails
 * there, before its quotas and demands are checked. The row gets the row id of the first `INSERT … RETURNING`.
 */
export function recordingDatabase(
  { $client, $dialect }: Database,
  { id, fingerprint }: KeyedCall,
  now: number,
): Recording {
  let isStored = false;
  let rowId: number | null = null;
  const insert = { sql: INSERT_KEY, args: [id, fingerprint, now] };
  const capture = { sql: CAPTURE_ROW_ID, args: [id] };

  async function batch(statements: InStatement[]): Promise<StatementRows[]> {
    if (isStored || !statements.some(isChange)) return $client.batch(statements);
    const captured = captureIndex(statements);
    const placed = statements.flatMap((statement, index) => (index === captured ? [statement, capture] : [statement]));
    const results = await $client.batch([insert, ...placed]).catch((thrown) => {
      throw renumber(thrown, captured);
    });
    isStored = true;
    if (captured >= 0) rowId = Number(results[captured + 2]?.rows[0]?.[0] ?? 0) || null;
    return results.filter((_, index) => index > 0 && (captured < 0 || index !== captured + 2));
  }

  const database = databaseOf(
    {
      batch,
      async execute(statement: InStatement) {
        if (isStored || !isChange(statement)) return $client.execute(statement);
        const [result] = await batch([statement]);
        if (!result) throw new Error("the database left out a statement");
        return result;
      },
    },
    { $dialect },
  );
  return {
    database,
    get isStored() {
      return isStored;
    },
    get rowId() {
      return rowId;
    },
  };
}

/** Demands find their error by the index of the failed statement: it becomes that of the call's own list. */
function renumber(thrown: unknown, captured: number): unknown {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (!("statementIndex" in error) || typeof error.statementIndex !== "number") continue;
    const index = error.statementIndex - 1;
    error.statementIndex = captured >= 0 && index > captured ? index - 1 : index;
  }
  return thrown;
}

function isChange(statement: InStatement) {
  return !/^\s*select\b/i.test(textOf(statement));
}

/**
 * The index of the statement behind which the row id is captured; -1 without an `INSERT … RETURNING`. A demand that compares the
 * number of inserted rows comes first, because the capture changes that number to 1.
 */
function captureIndex(statements: InStatement[]): number {
  const inserted = statements.map(textOf).findIndex((text) => /^\s*insert\b/i.test(text) && / returning /i.test(text));
  const next = statements[inserted + 1];
  return inserted >= 0 && next && /^\s*select\b.*changes\(\) = \?/is.test(textOf(next)) ? inserted + 1 : inserted;
}

function textOf(statement: InStatement) {
  return typeof statement === "string" ? statement : statement.sql;
}

const INSERT_KEY = "INSERT INTO idempotency_key (id, fingerprint, created) VALUES (?, ?, ?)";
/** Changes one row exactly if the insert in front changed some: audit entries behind it ask `changes() > 0`. */
const CAPTURE_ROW_ID =
  "UPDATE idempotency_key SET row_id = last_insert_rowid() WHERE id = ? AND changes() > 0 RETURNING row_id";
