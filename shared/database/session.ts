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
/** Where a value goes, and how it is read; of a column, the table too. */
type ColumnTarget = { path: string[]; decoder: Decoder; table?: string };
/** A row's, by the places of its columns. */
type Values = ArrayLike<Value>;
/** Of a prepared query of drizzle's. */
type DrizzleQuery = {
  values(given: Record<string, unknown> | undefined): Promise<Values[]>;
  /** Names the statement in what is thrown. */
  queryWithCache<Found>(sql: string, args: unknown[], ask: () => Promise<Found>): Promise<Found>;
};
/** Tables by name: false where a join may have found no row of them. */
type JoinedTables = Record<string, boolean> | undefined;

/**
 * Drizzle's session, which makes objects of rows faster: drizzle itself copies each row through its numbered members, and
 * looks for each value of each row anew how it is to be read.
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
    // Drizzle says so after it has prepared the query.
    const joined = () => (query as { joinsNotNullableMap?: JoinedTables }).joinsNotNullableMap;
    const inner = query as unknown as DrizzleQuery; // drizzle hides both from types
    // Drizzle would ask for rows with names, which take as long to make as all else that is done with them.
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

/** Undefined where there is more than columns and expressions. */
function columnTargets(fields: SelectedFieldsOrdered): ColumnTarget[] | undefined {
  const places = fields.flatMap(({ path, field }): ColumnTarget[] => {
    if (is(field, Column))
      return [{ path, decoder: field, table: path.length === 2 ? getTableName(field.table) : undefined }];
    const expression = is(field, SQL.Aliased) ? field.sql : field;
    // Drizzle hides from types what an expression is read by.
    return is(expression, SQL) ? [{ path, decoder: (expression as unknown as { decoder: Decoder }).decoder }] : [];
  });
  return places.length === fields.length ? places : undefined;
}

function toObject(values: Values, places: ColumnTarget[], joined: JoinedTables): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  // As drizzle has it: the table of a member whose first value is null; false: it is not, or they are of several tables.
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
