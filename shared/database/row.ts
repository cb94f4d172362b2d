import type { ResultSet, Row, Value } from "@libsql/client/web";

type Found = Pick<ResultSet, "columns" | "columnTypes" | "rowsAffected" | "lastInsertRowid"> & { values: Value[][] };

/** What a statement answered. Drizzle's rows are read by their places: names they get when somebody asks for them. */
export class PlacedResult implements ResultSet {
  readonly columns: string[];
  readonly columnTypes: string[];
  readonly rowsAffected: number;
  readonly lastInsertRowid: bigint | undefined;
  readonly values: Value[][];
  #rows: Row[] | undefined;

  constructor({ columns, columnTypes, rowsAffected, lastInsertRowid, values }: Found) {
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

/** A result's rows by their places. */
export function placedRows(result: ResultSet): ArrayLike<Value>[] {
  return result instanceof PlacedResult ? result.values : result.rows;
}

/**
 * Rows as drizzle takes them: by the place of a column, which is complete, and by its name, of which the first counts.
 * Only the names are listed among a row's members.
 */
function rowsOf(columns: string[], rows: Value[][]): Row[] {
  PlacedRow.knowPlaces(columns.length);
  const named = columns.flatMap((name, place) => {
    const isFirst = columns.indexOf(name) === place && name !== "length";
    return isFirst && !IS_PLACE.test(name) ? [[name, place] as const] : [];
  });
  const numbered = columns.filter((name) => IS_PLACE.test(name));
  return rows.map((values) => {
    const row = new PlacedRow(values) as PlacedRow & Row; // its members are those that the columns name
    for (const [name, place] of named) row[name] = values[place] ?? null;
    for (const name of numbered) listPlace(row, name, values[columns.indexOf(name)] ?? null);
    return row;
  });
}

/** A column whose name is a number, as that of `SELECT 1`: where the row has such a place, that one is meant. */
function listPlace(row: PlacedRow & Row, name: string, value: Value) {
  const place = Number(name);
  Object.defineProperty(row, name, { value: place < row.length ? row[place] : value, enumerable: true });
}

/** Its places are read through its prototype: to define them for every row takes longer than to read the answer. */
class PlacedRow {
  static #places = 0;
  readonly #values: Value[];

  constructor(values: Value[]) {
    this.#values = values;
  }

  static knowPlaces(count: number) {
    for (; PlacedRow.#places < count; PlacedRow.#places++) {
      const place = PlacedRow.#places;
      const get = function (this: PlacedRow) {
        return this.#values[place];
      };
      Object.defineProperty(PlacedRow.prototype, place, { get });
    }
  }

  get length() {
    return this.#values.length;
  }
}

const IS_PLACE = /^\d+$/;
