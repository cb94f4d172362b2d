import { type Database, openDatabase } from "#shared/database/open.ts";
import type { GeoEnv } from "../env.ts";

/** The one that the points of a tracker are in. */
export function databaseOf(env: GeoEnv, _tracker_id: number): Database {
  return openDatabase(env);
}

/** All that points are in. */
export function trackerDatabases(env: GeoEnv): Database[] {
  return [openDatabase(env)];
}
