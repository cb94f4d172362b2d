import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { wranglerCommand } from "./wrangler.ts";

type Environment = Record<string, string | undefined>;

export type Deployment = {
  created_on: string;
  versions: { version_id: string; percentage: number }[];
  annotations?: { "workers/message"?: string };
};
export type Version = { id: string; annotations?: { "workers/tag"?: string } };
export type Binding = { name: string; type: string; text?: string };
export type Queue = {
  queue_name: string;
  consumers: { script?: string; service?: string; settings?: Record<string, unknown> }[];
};
/** Settings that belong to a Worker and not to one of its versions. */
export type ScriptSettings = { observability?: unknown };

/** An answer of the platform's API that is no success. */
export class PlatformError extends Error {
  readonly status: number;
  readonly code: number;
  constructor(path: string, status: number, code: number, text: string) {
    super(`The platform refused ${path}: ${text} (${code || status}).`);
    this.status = status;
    this.code = code;
  }
}

/** Why nothing can be asked of the platform at all. */
export class NoPlatformError extends Error {}

/** The API that wrangler itself uses: what is deployed, and which version answers. wrangler uploads. */
export class Platform {
  readonly #base: string;
  readonly #headers: Record<string, string>;
  readonly #account: string;

  constructor(base: string, headers: Record<string, string>, account: string) {
    this.#base = base;
    this.#headers = headers;
    this.#account = account;
  }

  get account() {
    return this.#account;
  }

  /** The tag of the last Durable Object migration; undefined if there is no such Worker. */
  async findWorker(name: string): Promise<{ migrationTag: string | undefined } | undefined> {
    type Service = { default_environment: { script: { migration_tag?: string } } };
    const service = await this.#find<Service>(`/workers/services/${name}`);
    return service && { migrationTag: service.default_environment.script.migration_tag };
  }

  /** Newest first; the first one is active, and none of a Worker that does not exist. The platform lists ten. */
  async deployments(name: string): Promise<Deployment[]> {
    const found = await this.#find<{ deployments: Deployment[] }>(`/workers/scripts/${name}/deployments`);
    return (found?.deployments ?? []).toSorted((one, other) => other.created_on.localeCompare(one.created_on));
  }

  async findVersion(name: string, tag: string): Promise<string | undefined> {
    const { items } = await this.#get<{ items: Version[] }>(`/workers/scripts/${name}/versions?deployable=true`);
    return items.find(({ annotations }) => annotations?.["workers/tag"] === tag)?.id;
  }

  /** A version with all its bindings; of secrets only the names. */
  async version(name: string, id: string): Promise<{ tag: string | undefined; bindings: Binding[] }> {
    type Detail = Version & { resources: { bindings: Binding[] } };
    const { annotations, resources } = await this.#get<Detail>(`/workers/scripts/${name}/versions/${id}`);
    return { tag: annotations?.["workers/tag"], bindings: resources.bindings };
  }

  async crons(name: string): Promise<string[]> {
    const { schedules } = await this.#get<{ schedules: { cron: string }[] }>(`/workers/scripts/${name}/schedules`);
    return schedules.map(({ cron }) => cron);
  }

  async hasWorkersDev(name: string): Promise<boolean> {
    return (await this.#get<{ enabled: boolean }>(`/workers/scripts/${name}/subdomain`)).enabled;
  }

  async hasBucket(name: string): Promise<boolean> {
    return (await this.#find(`/r2/buckets/${name}`)) !== undefined;
  }

  async findQueue(name: string): Promise<Queue | undefined> {
    const queues = await this.#get<Queue[]>(`/queues?name=${name}`);
    return queues.find(({ queue_name }) => queue_name === name);
  }

  createBucket(name: string) {
    return this.#call("POST", "/r2/buckets", { name });
  }

  createQueue(name: string) {
    return this.#call("POST", "/queues", { queue_name: name });
  }

  setScriptSettings(name: string, settings: ScriptSettings) {
    return this.#call("PATCH", `/workers/scripts/${name}/script-settings`, settings);
  }

  /** Forced, because a version that goes back may have other secrets than the newest one. */
  activate(name: string, version: string, message: string) {
    return this.#call("POST", `/workers/scripts/${name}/deployments?force=true`, {
      strategy: "percentage",
      versions: [{ version_id: version, percentage: 100 }],
      annotations: { "workers/message": message },
    });
  }

  async #find<T>(path: string): Promise<T | undefined> {
    return this.#get<T>(path).catch((error) => {
      if (error instanceof PlatformError && error.status === 404) return undefined;
      throw error;
    });
  }

  #get<T>(path: string): Promise<T> {
    return this.#call<T>("GET", path);
  }

  #call<T>(method: string, path: string, body?: unknown): Promise<T> {
    return request<T>(this.#base, `/accounts/${this.#account}${path}`, this.#headers, method, body);
  }
}

/** The platform with the credentials that wrangler would use. */
export async function openPlatform(environment: Environment): Promise<Platform> {
  const base = (environment.CLOUDFLARE_API_BASE_URL || "https://api.cloudflare.com/client/v4").replace(/\/$/, "");
  const headers = await credentials(environment);
  const account = environment.CLOUDFLARE_ACCOUNT_ID || (await onlyAccount(base, headers));
  return new Platform(base, headers, account);
}

async function credentials(environment: Environment): Promise<Record<string, string>> {
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_API_KEY: key, CLOUDFLARE_EMAIL: email } = environment;
  if (token) return { Authorization: `Bearer ${token}` };
  if (key && email) return { "X-Auth-Key": key, "X-Auth-Email": email };
  const { program, args, env } = wranglerCommand(["auth", "token", "--json"], environment);
  const { stdout } = await promisify(execFile)(program, args, { env }).catch(() => ({ stdout: "" }));
  const login: { token?: string } = stdout.includes("{") ? JSON.parse(stdout.slice(stdout.indexOf("{"))) : {};
  if (!login.token)
    throw new NoPlatformError("wrangler is not logged in: run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN.");
  return { Authorization: `Bearer ${login.token}` };
}

async function onlyAccount(base: string, headers: Record<string, string>): Promise<string> {
  const accounts = await request<{ id: string; name: string }[]>(base, "/accounts", headers, "GET");
  const [first, ...others] = accounts;
  if (first && others.length === 0) return first.id;
  const list = accounts.map(({ id, name }) => `${name} ${id}`).join(", ");
  throw new NoPlatformError(`The login has ${accounts.length} accounts (${list}): set CLOUDFLARE_ACCOUNT_ID to one.`);
}

async function request<T>(
  base: string,
  path: string,
  headers: Record<string, string>,
  method: string,
  body?: unknown,
): Promise<T> {
  const init = { method, headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(base + path, init).catch((error) => {
    const reason = error.cause?.code ?? error.cause?.message ?? error.message;
    throw new NoPlatformError(`The platform (${new URL(base).host}) does not answer (${reason}): check the network.`);
  });
  type Answer = { success?: boolean; result?: T; errors?: { code: number; message: string }[] };
  const answer = (await response.json().catch(() => ({}))) as Answer;
  if (response.ok && answer.success !== false) return answer.result as T;
  const [error] = answer.errors ?? [];
  throw new PlatformError(path, response.status, error?.code ?? 0, error?.message ?? response.statusText);
}
