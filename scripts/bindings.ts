import type { Secrets } from "./secrets.ts";
import type { DatabaseServer } from "./sqld.ts";

type Environment = Record<string, string | undefined>;

/** What a Worker is told when it runs here; deployed, the same names are secrets of it. */
export function secretBindings({ url, token }: DatabaseServer, secrets: Secrets, environment: Environment) {
  return {
    DB_URL: url,
    DB_TOKEN: token,
    ...secrets,
    LOCAL_RUN: "1",
    CLOCK_OFFSET_SECONDS: environment.CLOCK_OFFSET_SECONDS || "0",
    PASSWORD_COST: environment.PASSWORD_COST || "",
    MAIL_URL: environment.MAIL_URL ?? "",
    GEOCODER_URL: environment.GEOCODER_URL ?? "",
  };
}

/**
 * Those [vars] of a wrangler.toml that are others here than deployed: what the environment names too, with its values.
 * A server of our own takes two writers best, one that is far away more.
 */
export function localVars(vars: object, server: DatabaseServer, environment: Environment): Record<string, string> {
  const given = Object.keys(vars).map((name) => [name, environment[name]] as const);
  const named = Object.fromEntries(given.filter((pair): pair is [string, string] => pair[1] !== undefined));
  return server.isOwn ? { DB_WRITERS: "2", ...named } : named;
}
