import { DatabaseSync } from "node:sqlite";

/** The parts of a Durable Object's storage that tests use, on a real SQLite. */
export function newObjectStorage() {
  const database = new DatabaseSync(":memory:");
  const exec = (statement: string, ...values: (string | number | Uint8Array | null)[]) => {
    const rows = database.prepare(statement).all(...values) as Record<string, unknown>[];
    return Object.assign(rows.values(), { one: () => rows[0], toArray: () => rows });
  };
  const kept = new Map<string, unknown>();
  const kv = {
    get: (name: string) => structuredClone(kept.get(name)),
    put: (name: string, value: unknown) => void kept.set(name, structuredClone(value)),
    delete: (name: string) => kept.delete(name),
  };
  // The types of the runtime's storage are more than is asked for.
  return { sql: { exec }, kv } as unknown as DurableObjectStorage;
}
