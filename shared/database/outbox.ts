type Outbox<Row> = {
  /** At most `most` rows, oldest first. */
  select(most: number): Promise<Row[]>;
  deliver(rows: Row[]): Promise<unknown>;
  remove(rows: Row[]): Promise<unknown>;
};

/**
 * Delivers an outbox page by page. Rows that are delivered but not removed are delivered again: receivers know them by
 * id.
 */
export async function deliverOutbox<Row>({ select, deliver, remove }: Outbox<Row>) {
  let rows: Row[];
  do {
    rows = await select(MAX_ROWS_PER_DELIVERY);
    if (rows.length === 0) return;
    await deliver(rows);
    await remove(rows);
  } while (rows.length === MAX_ROWS_PER_DELIVERY);
}

/** Receivers accept at most this many rows in one call. */
const MAX_ROWS_PER_DELIVERY = 500;
