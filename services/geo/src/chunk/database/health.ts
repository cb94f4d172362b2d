import { databaseAnswers } from "#shared/database/open.ts";
import type { GeoEnv } from "../../env.ts";
import { databaseEnvs } from "./open.ts";

/** Databases that do not answer. The first one also holds the service's other tables. */
export async function silentDatabases(env: GeoEnv): Promise<string[]> {
  const answers = await Promise.all(databaseEnvs(env).map(databaseAnswers));
  return answers.flatMap((isThere, index) => (isThere ? [] : [index === 0 ? "database" : `database ${index + 1}`]));
}
