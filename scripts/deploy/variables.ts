import type { DatabaseServers } from "../database/inspect.ts";
import { KEY_NAMES, keyProblem, type Secrets } from "../system/secrets.ts";
import { givenServer, variableOf } from "../system/sqld.ts";
import { WORKERS } from "../workers.ts";

type Environment = Record<string, string | undefined>;
export type Variables = { servers: DatabaseServers; keys: Partial<Secrets>; problems: string[] };

/** The databases and keys that the environment names, and a sentence for each variable that is missing or malformed. */
export function readVariables(environment: Environment): Variables {
  const problems: string[] = [];
  const servers: DatabaseServers = {};
  for (const worker of WORKERS) {
    const found = databaseProblems(worker, environment);
    problems.push(...found);
    if (found.length === 0) servers[worker] = givenServer(worker, environment);
  }
  problems.push(...sharedDatabases(servers));
  const keys: Partial<Secrets> = {};
  for (const name of KEY_NAMES) {
    const value = environment[name] ?? "";
    const problem = value ? keyProblem(name, value) : missingKey(name);
    if (problem) problems.push(problem);
    else keys[name] = value;
  }
  return { servers, keys, problems: [...problems, ...settingProblems(environment)] };
}

/** The sentence for a program that cannot run here; undefined where nothing is in the way. */
export function machineProblem(platform: string, nodeVersion: string): string | undefined {
  if (platform === "win32")
    return "npm run deploy needs Linux or macOS (on Windows the subsystem for Linux): secrets pass through a pipe.";
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
  if (major < 22 || (major === 22 && minor < 12))
    return `Node ${nodeVersion} is too old for wrangler: use 22.12 or newer (\`npm ci\` installs one).`;
  return undefined;
}

function databaseProblems(worker: (typeof WORKERS)[number], environment: Environment): string[] {
  const first = variableOf(worker);
  if (!environment[first]) return [`${first} is not set: where is the database of ${worker}?`];
  const numbered = Object.keys(environment).filter((name) => environment[name] && /^GEO_DB_URL_\d+$/.test(name));
  const names = worker === "geo" ? [first, ...numbered] : [first];
  const malformed = names.filter((name) => !isDatabaseUrl(environment[name] ?? ""));
  if (malformed.length > 0)
    return malformed.map(
      (name) => `${name} is no address of a libSQL server: it begins with libsql://, https:// or http://.`,
    );
  try {
    givenServer(worker, environment);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function isDatabaseUrl(text: string) {
  return URL.canParse(text) && ["libsql:", "https:", "http:"].includes(new URL(text).protocol);
}

function sharedDatabases(servers: DatabaseServers): string[] {
  return WORKERS.flatMap((worker, index) => {
    const twin = WORKERS.slice(0, index).find((other) => servers[other] && servers[other].url === servers[worker]?.url);
    return twin
      ? [`${variableOf(twin)} and ${variableOf(worker)} name the same database: give each Worker its own.`]
      : [];
  });
}

/** Keys are never made here: with other ones the data of an installation would be unreadable. */
function missingKey(name: keyof Secrets) {
  const encoding = name.endsWith("_PRIVATE_KEY") || name === "RECORD_KEY" ? "base64url" : "hex";
  return `${name} is not set: make it once and keep it, with \`node -p "crypto.randomBytes(32).toString('${encoding}')"\`.`;
}

function settingProblems(environment: Environment): string[] {
  const { PUBLIC_URL, CLOCK_OFFSET_SECONDS, ALLOW_PRIVATE_TARGETS, FCM_SERVICE_ACCOUNT } = environment;
  const problems: string[] = [];
  if (!PUBLIC_URL)
    problems.push("PUBLIC_URL is not set: at which address is the gateway reached? Mailed links begin with it.");
  for (const name of ["PUBLIC_URL", "MAIL_URL", "GEOCODER_URL"]) {
    const value = environment[name];
    if (value && !/^https?:$/.test(URL.canParse(value) ? new URL(value).protocol : ""))
      problems.push(`${name} is no address: it begins with https:// or http://.`);
  }
  if (environment.MAP_STYLES && !areMapStyles(environment.MAP_STYLES))
    problems.push('MAP_STYLES is no JSON list of {"name", "url"}: see docs/console.md.');
  if (Number(CLOCK_OFFSET_SECONDS || 0) !== 0) problems.push("CLOCK_OFFSET_SECONDS is for local runs only: unset it.");
  if (ALLOW_PRIVATE_TARGETS && !["0", "1"].includes(ALLOW_PRIVATE_TARGETS))
    problems.push("ALLOW_PRIVATE_TARGETS is 0 or 1.");
  if (FCM_SERVICE_ACCOUNT && !isServiceAccount(FCM_SERVICE_ACCOUNT))
    problems.push(
      "FCM_SERVICE_ACCOUNT is not the JSON of a service account: see docs/operating.md, Push notifications.",
    );
  return problems;
}

function areMapStyles(text: string) {
  try {
    const styles: { name?: unknown; url?: unknown }[] = JSON.parse(text);
    return styles.every(({ name, url }) => typeof name === "string" && URL.canParse(String(url)));
  } catch {
    return false;
  }
}

function isServiceAccount(text: string) {
  try {
    const account: Record<string, unknown> = JSON.parse(text);
    return ["project_id", "client_email", "private_key"].every((member) => typeof account[member] === "string");
  } catch {
    return false;
  }
}
