/** Nothing is left in the storage but the line that says so. */
export async function eraseStorage(storage: DurableObjectStorage) {
  await storage.deleteAlarm();
  await storage.deleteAll();
  storage.kv.put(ERASED, true);
  await storage.sync();
}

export function isErased({ kv }: DurableObjectStorage): boolean {
  return kv.get(ERASED) === true;
}

/** Looks into all of it: tables are made anew with each life of the object, but have no rows. */
export function isStorageEmpty({ kv, sql }: DurableObjectStorage): boolean {
  const names = [...kv.list()].map(([name]) => name);
  const tables = [...sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")]
    .map(({ name }) => name)
    // Others are the runtime's own.
    .filter((name) => !/^(_|sqlite_)/.test(name));
  return (
    names.every((name) => name === ERASED) &&
    tables.every((name) => [...sql.exec(`SELECT 1 FROM "${name}" LIMIT 1`)].length === 0)
  );
}

const ERASED = "erased";
