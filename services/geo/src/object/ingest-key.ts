import { type HashEnv, hashWithKey } from "#shared/secret/keyed-hash.ts";

/** The form in which a feed stores its ingest key. It depends on the tracker, so that equal keys do not show. */
export function hashIngestKey(key: string, tracker_id: number, env: HashEnv): string {
  return hashWithKey("ingest_key", `${tracker_id}:${key}`, env);
}
