import { type Database, type DatabaseEnv, openDatabase } from "#shared/database/open.ts";
import type { GeoEnv } from "../../env.ts";
import { databaseIndexOf, parseStarts } from "./database-index.ts";

/** The database of a tracker's points. */
export function databaseOf(env: GeoEnv, tracker_id: number): Database {
  return openDatabase(envAt(env, databaseIndexOf(tracker_id, parseStarts(env.DB_STARTS))));
}

/** All databases with points, the service's own first. */
export function trackerDatabases(env: GeoEnv): Database[] {
  return databaseEnvs(env).map(openDatabase);
}

export function databaseEnvs(env: GeoEnv): DatabaseEnv[] {
  return [0, ...parseStarts(env.DB_STARTS)].map((_, index) => envAt(env, index));
}

function envAt(env: GeoEnv, index: number): DatabaseEnv {
  if (index === 0) return env;
  const [url, token] = [env[`DB_URL_${index + 1}`], env[`DB_TOKEN_${index + 1}`]];
  if (!url) throw new Error(`DB_URL_${index + 1} is not set`);
  return { ...env, DB_URL: url, DB_TOKEN: token };
}
