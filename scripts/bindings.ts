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
    MAIL_URL: environment.MAIL_URL ?? "",
    GEOCODER_URL: environment.GEOCODER_URL ?? "",
  };
}

/** Those [vars] of a wrangler.toml that the environment names too, with its values. */
export function overriddenVars(vars: object, environment: Environment): Record<string, string> {
  const given = Object.keys(vars).map((name) => [name, environment[name]] as const);
  return Object.fromEntries(given.filter((pair): pair is [string, string] => pair[1] !== undefined));
}
