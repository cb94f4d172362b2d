type Outbox<Row> = {
  /** At most so many, the oldest first. */
  take(most: number): Promise<Row[]>;
  tell(rows: Row[]): Promise<unknown>;
  drop(rows: Row[]): Promise<unknown>;
};

/** Hands over what lies in an outbox, part by part. What is told and not dropped is told again: who hears it knows it by its id. */
export async function emptied<Row>({ take, tell, drop }: Outbox<Row>) {
  let rows: Row[];
  do {
    rows = await take(DELIVERED);
    if (rows.length === 0) return;
    await tell(rows);
    await drop(rows);
  } while (rows.length === DELIVERED);
}

/** No receiver takes more in one call. */
const DELIVERED = 500;
