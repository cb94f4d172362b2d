import type { Client, ResultSet } from "@libsql/client";
import { type Database, databaseOf } from "../../../shared/database/open.ts";
import type { StatementRows } from "../../../shared/libsql/pipeline.ts";

/** A database over the client library, for tests on SQLite files without a server. */
export function databaseOfClient(client: Client): Database {
  return databaseOf({
    execute: async (statement) => toStatementRows(await client.execute(statement)),
    batch: async (statements) => (await client.batch(statements, "write")).map(toStatementRows),
  });
}

function toStatementRows({ columns, rows }: ResultSet): StatementRows {
  const values = rows.map((row) => columns.map((_, index) => row[index] ?? null));
  return {
    columns,
    rows: values.map((row) =>
      row.map((value) => {
        if (value instanceof ArrayBuffer) return Buffer.from(value);
        return typeof value === "bigint" ? Number(value) : value;
      }),
    ),
  };
}
