type Outbox<Row> = {
  /** At most so many, the oldest first. */
  select(most: number): Promise<Row[]>;
  deliver(rows: Row[]): Promise<unknown>;
  remove(rows: Row[]): Promise<unknown>;
};

/** Hands over what lies in an outbox, part by part. What is told and not dropped is told again: who hears it knows it by its id. */
export async function deliverOutbox<Row>({ select, deliver, remove }: Outbox<Row>) {
  let rows: Row[];
  do {
    rows = await select(MAX_ROWS_PER_DELIVERY);
    if (rows.length === 0) return;
    await deliver(rows);
    await remove(rows);
  } while (rows.length === MAX_ROWS_PER_DELIVERY);
}

/** No receiver takes more in one call. */
const MAX_ROWS_PER_DELIVERY = 500;
