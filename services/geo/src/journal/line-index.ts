/** Lines that their feeds still need, and the row of each. */
export class LineIndex {
  #byTracker = new Map<number, Map<number, number>>();
  #linesInRow = new Map<number, number>();
  #count = 0;

  get count() {
    return this.#count;
  }

  add(tracker_id: number, number: number, row: number) {
    const own = this.#byTracker.get(tracker_id) ?? new Map<number, number>();
    this.#byTracker.set(tracker_id, own);
    own.set(number, row);
    this.#linesInRow.set(row, (this.#linesInRow.get(row) ?? 0) + 1);
    this.#count++;
  }

  /** The row of each of the tracker's lines, by line number. */
  rowsOf(tracker_id: number): ReadonlyMap<number, number> {
    return this.#byTracker.get(tracker_id) ?? new Map();
  }

  /** Answers the rows that no needed line is left in. */
  remove(tracker_id: number, numbers: Iterable<number>): number[] {
    const own = this.#byTracker.get(tracker_id);
    if (!own) return [];
    const emptyRows: number[] = [];
    for (const number of numbers) {
      const row = own.get(number);
      if (row === undefined) continue;
      own.delete(number);
      this.#count--;
      const left = (this.#linesInRow.get(row) ?? 0) - 1;
      if (left > 0) this.#linesInRow.set(row, left);
      else {
        this.#linesInRow.delete(row);
        emptyRows.push(row);
      }
    }
    if (own.size === 0) this.#byTracker.delete(tracker_id);
    return emptyRows;
  }

  lowestNumber(): number {
    let lowest = Number.POSITIVE_INFINITY;
    for (const own of this.#byTracker.values()) for (const number of own.keys()) lowest = Math.min(lowest, number);
    return lowest;
  }

  /** By tracker, its lines with lower numbers. */
  linesBelow(number: number): [tracker_id: number, numbers: number[]][] {
    return [...this.#byTracker].flatMap(([tracker_id, own]): [number, number[]][] => {
      const old = [...own.keys()].filter((one) => one < number);
      return old.length > 0 ? [[tracker_id, old]] : [];
    });
  }
}
