import type { Row, Value } from "@libsql/client/web";

/**
 * Rows as drizzle takes them: by the place of a column, which is complete, and by its name, of which the first counts.
 * Only the names are listed among a row's members.
 */
export function rowsOf(columns: string[], rows: Value[][]): Row[] {
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

/** By their places: reading them through the row takes longer. */
export function valuesOf(row: Row): ArrayLike<Value> {
  return PlacedRow.valuesOf(row);
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

  static valuesOf(row: Row): ArrayLike<Value> {
    return row instanceof PlacedRow ? row.#values : row;
  }

  get length() {
    return this.#values.length;
  }
}

const IS_PLACE = /^\d+$/;
