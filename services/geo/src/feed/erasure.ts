/** Deletes the whole storage of an object, then marks it as erased. */
export async function eraseStorage(storage: DurableObjectStorage) {
  await storage.deleteAlarm();
  await storage.deleteAll();
  storage.kv.put(ERASED, true);
  await storage.sync();
}

export function isErased({ kv }: DurableObjectStorage): boolean {
  return kv.get(ERASED) === true;
}

/**
 * True if the storage has nothing but the mark of erasure. Tables may exist, as each start of the object creates them,
 * but must be empty.
 */
export function isStorageEmpty({ kv, sql }: DurableObjectStorage): boolean {
  const names = [...kv.list()].map(([name]) => name);
  const tables = [...sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")]
    .map(({ name }) => name)
    // Tables with these prefixes are the runtime's own.
    .filter((name) => !/^(_|sqlite_)/.test(name));
  return (
    names.every((name) => name === ERASED) &&
    tables.every((name) => [...sql.exec(`SELECT 1 FROM "${name}" LIMIT 1`)].length === 0)
  );
}

const ERASED = "erased";
