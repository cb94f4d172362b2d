import { Buffer } from "node:buffer";
import type { Client, InValue, ResultSet, Value } from "@libsql/client/web";
import { Column, fillPlaceholders, getTableName, is, SQL } from "drizzle-orm";
import { LibSQLSession } from "drizzle-orm/libsql/session";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import type { SelectedFieldsOrdered } from "drizzle-orm/sqlite-core/query-builders/select.types";
import type { PreparedQueryConfig } from "drizzle-orm/sqlite-core/session";
import { rowValues } from "../libsql/indexed-result.ts";

type Schema = Record<string, never>;
type PrepareArguments = Parameters<LibSQLSession<Schema, Schema>["prepareQuery"]>;
type Decoder = { mapFromDriverValue(value: unknown): unknown };
/** Path in the result object, and the decoder of a value; for a column also its table. */
type ColumnTarget = { path: string[]; decoder: Decoder; table?: string };
/** Values of a row by column index. */
type Values = ArrayLike<Value>;
/** Members of drizzle's prepared query that its types hide. */
type DrizzleQuery = {
  values(given: Record<string, unknown> | undefined): Promise<Values[]>;
  /** Adds the statement to errors. */
  queryWithCache<Found>(sql: string, args: unknown[], ask: () => Promise<Found>): Promise<Found>;
};
/** Tables by name: false when an outer join may have found no row. */
type JoinedTables = Record<string, boolean> | undefined;

/**
 * Drizzle's session with a faster conversion of rows: drizzle copies every row and looks up the decoder of every value
 * anew.
 */
export class Session extends LibSQLSession<Schema, Schema> {
  readonly #client: Client;

  constructor(client: Client) {
    super(client, new SQLiteAsyncDialect(), undefined, {}, undefined);
    this.#client = client;
  }

  override prepareQuery<T extends Omit<PreparedQueryConfig, "statement" | "run">>(
    asked: PrepareArguments[0],
    fields: PrepareArguments[1],
    method: PrepareArguments[2],
    isInArrays: PrepareArguments[3],
    mapper?: PrepareArguments[4],
    metadata?: PrepareArguments[5],
    cache?: PrepareArguments[6],
  ) {
    const query = super.prepareQuery<T>(asked, fields, method, isInArrays, mapper, metadata, cache);
    const places = fields && !mapper ? columnTargets(fields) : undefined;
    if (!places) return query;
    // Drizzle sets it after the query is prepared.
    const joined = () => (query as { joinsNotNullableMap?: JoinedTables }).joinsNotNullableMap;
    const inner = query as unknown as DrizzleQuery; // drizzle hides both from types
    // Drizzle would request rows with named members, which take most of the time.
    inner.values = (given) => {
      const args = fillPlaceholders(asked.params, given ?? {}) as InValue[];
      const ask = async () => rowValues(await this.#client.execute({ sql: asked.sql, args }));
      return inner.queryWithCache(asked.sql, args, ask);
    };
    query.mapAllResult = (found, isFromBatch) =>
      rowsIn(found, isFromBatch).map((row) => toObject(row, places, joined()));
    query.mapGetResult = (found, isFromBatch) => {
      const [row] = rowsIn(found, isFromBatch);
      return row && toObject(row, places, joined());
    };
    return query;
  }
}

function rowsIn(found: unknown, isFromBatch: boolean | undefined): Values[] {
  return isFromBatch ? rowValues(found as ResultSet) : (found as Values[]); // as drizzle hands them over
}

/** Undefined when there are fields other than columns and expressions. */
function columnTargets(fields: SelectedFieldsOrdered): ColumnTarget[] | undefined {
  const places = fields.flatMap(({ path, field }): ColumnTarget[] => {
    if (is(field, Column))
      return [{ path, decoder: field, table: path.length === 2 ? getTableName(field.table) : undefined }];
    const expression = is(field, SQL.Aliased) ? field.sql : field;
    // The decoder of an expression, which drizzle's types hide.
    return is(expression, SQL) ? [{ path, decoder: (expression as unknown as { decoder: Decoder }).decoder }] : [];
  });
  return places.length === fields.length ? places : undefined;
}

function toObject(values: Values, places: ColumnTarget[], joined: JoinedTables): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  // The table of a member whose values are all null so far; false when one is not, or tables differ.
  const absent: Record<string, string | false> = {};
  for (let index = 0; index < places.length; index++) {
    const place = places[index];
    if (!place) break;
    const { path, decoder, table } = place;
    const raw = values[index] ?? null;
    const value = raw === null ? null : decoder.mapFromDriverValue(raw instanceof ArrayBuffer ? Buffer.from(raw) : raw);
    setMember(object, path, value);
    const [member = ""] = path;
    if (!joined || table === undefined) continue;
    const before = absent[member];
    if (before === undefined) absent[member] = value === null ? table : false;
    else if (before !== table) absent[member] = false;
  }
  for (const member in absent) {
    const table = absent[member];
    if (typeof table === "string" && !joined?.[table]) object[member] = null;
  }
  return object;
}

function setMember(object: Record<string, unknown>, path: string[], value: unknown) {
  let node = object;
  for (let depth = 0; depth < path.length - 1; depth++) {
    const name = path[depth] ?? "";
    node[name] ??= {};
    node = node[name] as Record<string, unknown>; // made above
  }
  node[path.at(-1) ?? ""] = value;
}
