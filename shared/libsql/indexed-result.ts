import type { ResultSet, Row, Value } from "@libsql/client/web";

type StatementResult = Pick<ResultSet, "columns" | "columnTypes" | "rowsAffected" | "lastInsertRowid"> & {
  values: Value[][];
};

/** Result of a statement. Drizzle reads rows by column index; objects with named members are built on demand. */
export class IndexedResult implements ResultSet {
  readonly columns: string[];
  readonly columnTypes: string[];
  readonly rowsAffected: number;
  readonly lastInsertRowid: bigint | undefined;
  readonly values: Value[][];
  #rows: Row[] | undefined;

  constructor({ columns, columnTypes, rowsAffected, lastInsertRowid, values }: StatementResult) {
    this.columns = columns;
    this.columnTypes = columnTypes;
    this.rowsAffected = rowsAffected;
    this.lastInsertRowid = lastInsertRowid;
    this.values = values;
  }

  get rows(): Row[] {
    this.#rows ??= rowsOf(this.columns, this.values);
    return this.#rows;
  }

  toJSON() {
    const { columns, columnTypes, rows, rowsAffected, lastInsertRowid } = this;
    return { columns, columnTypes, rows, rowsAffected, lastInsertRowid };
  }
}

/** The values of each row by column index. */
export function rowValues(result: ResultSet): ArrayLike<Value>[] {
  return result instanceof IndexedResult ? result.values : result.rows;
}

/**
 * Rows with values by index and by name, as drizzle expects them; the first column of a name counts. Only names are
 * enumerable.
 */
function rowsOf(columns: string[], rows: Value[][]): Row[] {
  IndexedRow.defineIndexes(columns.length);
  const named = columns.flatMap((name, place) => {
    const isFirst = columns.indexOf(name) === place && name !== "length";
    return isFirst && !IS_INDEX.test(name) ? [[name, place] as const] : [];
  });
  const numbered = columns.filter((name) => IS_INDEX.test(name));
  return rows.map((values) => {
    const row = new IndexedRow(values) as IndexedRow & Row; // its members are those that the columns name
    for (const [name, place] of named) row[name] = values[place] ?? null;
    for (const name of numbered) defineNumericColumn(row, name, values[columns.indexOf(name)] ?? null);
    return row;
  });
}

/** A column with a numeric name, such as `SELECT 1`: the index takes precedence. */
function defineNumericColumn(row: IndexedRow & Row, name: string, value: Value) {
  const place = Number(name);
  Object.defineProperty(row, name, { value: place < row.length ? row[place] : value, enumerable: true });
}

/** Indexes are getters of the prototype: defining them per row would take longer than reading the answer. */
class IndexedRow {
  static #places = 0;
  readonly #values: Value[];

  constructor(values: Value[]) {
    this.#values = values;
  }

  static defineIndexes(count: number) {
    for (; IndexedRow.#places < count; IndexedRow.#places++) {
      const place = IndexedRow.#places;
      const get = function (this: IndexedRow) {
        return this.#values[place];
      };
      Object.defineProperty(IndexedRow.prototype, place, { get });
    }
  }

  get length() {
    return this.#values.length;
  }
}

const IS_INDEX = /^\d+$/;
