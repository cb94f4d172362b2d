import { randomUUID } from "node:crypto";

export type PlatformRequest = { method: string; path: string; query: URLSearchParams; body: unknown };
export type Answer = { status: number; result?: unknown; error?: { code: number; message: string } };
type Binding = {
  name: string;
  type: string;
  text?: string;
  service?: string;
  bucket_name?: string;
  queue_name?: string;
  class_name?: string;
};
type Migration = { old_tag?: string; new_tag: string; steps: { new_sqlite_classes?: string[] }[] };
type Metadata = {
  bindings: Binding[];
  keep_bindings?: string[];
  migrations?: Migration;
  annotations?: Record<string, string>;
  /** Names of the modules and of their source maps. */
  files: string[];
};
type FakeVersion = Required<Pick<Metadata, "annotations" | "bindings" | "files">> & { id: string; created_on: string };
type FakeDeployment = {
  id: string;
  created_on: string;
  versions: { version_id: string; percentage: number }[];
  annotations: Record<string, string>;
};
export type FakeWorker = {
  migrationTag: string | undefined;
  classes: Set<string>;
  versions: FakeVersion[];
  deployments: FakeDeployment[];
  crons: string[];
  workersDev: boolean;
  settings: Record<string, unknown>;
};

export function refuse(status: number, code: number, message: string): Answer {
  return { status, error: { code, message } };
}

const NO_WORKER = refuse(404, 10007, "This Worker does not exist on your account.");

/** The Workers, buckets and queues of an account, with the rules of the platform that a deployment meets. */
export class FakeAccount {
  readonly workers = new Map<string, FakeWorker>();
  readonly buckets = new Set<string>();
  readonly queues = new Map<string, { queue_id: string; queue_name: string; consumers: Record<string, unknown>[] }>();
  #moment = 0;

  answer(request: PlatformRequest): Answer {
    const [product = "", kind = "", name = "", ...rest] = request.path.slice(1).split("/");
    if (product === "r2") return this.#answerBuckets(request, name);
    if (product === "queues") return this.#answerQueues(request, kind, rest[0] ?? "");
    if (product !== "workers") return refuse(404, 7003, `No route for ${request.path}`);
    if (kind === "subdomain") return ok({ subdomain: "example" });
    if (kind === "services") return this.#describeService(name);
    const worker = this.workers.get(name);
    if (kind === "workers") return worker ? ok({ subdomain: subdomainOf(worker) }) : NO_WORKER;
    return this.#answerScript(request, name, worker, rest);
  }

  /** The plain bindings and names of secrets of the version that answers. */
  activeBindings(name: string): Binding[] {
    const worker = this.workers.get(name);
    const active = worker?.deployments.at(-1)?.versions[0]?.version_id;
    return worker?.versions.find(({ id }) => id === active)?.bindings ?? [];
  }

  /** The message of the active deployment; undefined for a Worker that answers nothing of a release. */
  activeMessage(name: string): string | undefined {
    return this.workers.get(name)?.deployments.at(-1)?.annotations["workers/message"];
  }

  #describeService(name: string): Answer {
    const worker = this.workers.get(name);
    if (!worker) return NO_WORKER;
    const script = {
      tag: `tag-of-${name}`,
      tags: [],
      migration_tag: worker.migrationTag,
      last_deployed_from: "wrangler",
    };
    return ok({ id: name, default_environment: { environment: "production", script } });
  }

  #answerScript(request: PlatformRequest, name: string, worker: FakeWorker | undefined, rest: string[]): Answer {
    const [part = "", id = ""] = rest;
    if (part === "" && request.method === "PUT") return this.#deploy(name, request.body as Metadata);
    if (!worker) return NO_WORKER;
    const key = `${request.method} ${part}`;
    if (key === "GET deployments") return ok({ deployments: worker.deployments.slice(-10).toReversed() });
    if (key === "POST deployments") return this.#activate(worker, request.body as FakeDeployment);
    if (key === "POST versions") return this.#addVersion(name, worker, request.body as Metadata);
    if (key === "GET versions" && !id) return ok({ items: worker.versions.toReversed().map(describeVersion) });
    if (key === "GET versions") {
      const version = worker.versions.find((one) => one.id === id);
      return version ? ok(describeVersion(version)) : refuse(404, 10008, "No such version");
    }
    if (key === "GET secrets") return ok(this.activeBindings(name).filter(({ type }) => type === "secret_text"));
    if (key === "PATCH script-settings") {
      Object.assign(worker.settings, request.body);
      return ok(worker.settings);
    }
    if (key === "GET schedules") return ok({ schedules: worker.crons.map((cron) => ({ cron })) });
    if (key === "PUT schedules") {
      worker.crons = (request.body as { cron: string }[]).map(({ cron }) => cron);
      return ok({ schedules: request.body });
    }
    if (key === "POST subdomain") worker.workersDev = (request.body as { enabled: boolean }).enabled;
    if (part === "subdomain") return ok(subdomainOf(worker));
    // All files are known already: nothing remains to be uploaded.
    if (key === "POST assets-upload-session") return ok({ jwt: "e30.e30.e30", buckets: [] });
    return refuse(404, 7003, `No route for ${request.method} ${request.path}`);
  }

  #deploy(name: string, metadata: Metadata): Answer {
    const worker = this.workers.get(name) ?? newWorker();
    const { migrations } = metadata;
    if (migrations && migrations.old_tag !== worker.migrationTag)
      return refuse(412, 10079, "The migration's old tag is not that of the Worker.");
    const classes = migrations?.steps.flatMap(({ new_sqlite_classes = [] }) => new_sqlite_classes) ?? [];
    const problem = this.#checkBindings(metadata, new Set([...worker.classes, ...classes]));
    if (problem) return problem;
    this.workers.set(name, worker);
    for (const one of classes) worker.classes.add(one);
    worker.migrationTag = migrations?.new_tag ?? worker.migrationTag;
    const version = this.#store(name, worker, metadata);
    this.#activate(worker, { versions: [{ version_id: version.id, percentage: 100 }], annotations: {} });
    return ok({ deployment_id: version.id.replaceAll("-", ""), startup_time_ms: 1, etag: "etag" });
  }

  #addVersion(name: string, worker: FakeWorker, metadata: Metadata): Answer {
    if (metadata.migrations) return refuse(400, 10211, "Migrations cannot be part of a version.");
    const problem = this.#checkBindings(metadata, worker.classes);
    if (problem) return problem;
    const version = this.#store(name, worker, metadata);
    return ok({ ...describeVersion(version), startup_time_ms: 1 });
  }

  #store(name: string, worker: FakeWorker, { bindings, keep_bindings = [], ...others }: Metadata): FakeVersion {
    const kept = this.activeBindings(name).filter(
      (one) => keep_bindings.includes(one.type) && !bindings.some((other) => other.name === one.name),
    );
    const { annotations = {}, files } = others;
    const version = { id: randomUUID(), created_on: this.#now(), annotations, files, bindings: [...bindings, ...kept] };
    worker.versions.push(version);
    return version;
  }

  /** The platform accepts no version whose bindings lead nowhere. */
  #checkBindings({ bindings }: Metadata, classes: Set<string>): Answer | undefined {
    for (const { type, name, service, bucket_name, queue_name, class_name } of bindings) {
      if (type === "service" && !this.workers.has(service ?? ""))
        return refuse(400, 10143, `Service binding '${name}' references Worker '${service}' which was not found.`);
      if (type === "r2_bucket" && !this.buckets.has(bucket_name ?? ""))
        return refuse(400, 10085, `R2 bucket '${bucket_name}' not found.`);
      if (type === "queue" && !this.queues.has(queue_name ?? ""))
        return refuse(400, 11000, `Queue '${queue_name}' not found.`);
      if (type === "durable_object_namespace" && !classes.has(class_name ?? ""))
        return refuse(400, 10061, `Durable Object class '${class_name}' was not created by a migration.`);
    }
    return undefined;
  }

  #activate(worker: FakeWorker, { versions, annotations }: Pick<FakeDeployment, "versions" | "annotations">): Answer {
    if (!versions.every(({ version_id }) => worker.versions.some(({ id }) => id === version_id)))
      return refuse(404, 10008, "No such version");
    const deployment = { id: randomUUID(), created_on: this.#now(), versions, annotations: annotations ?? {} };
    worker.deployments.push(deployment);
    return ok(deployment);
  }

  #answerBuckets({ method, body }: PlatformRequest, name: string): Answer {
    if (method === "POST") {
      this.buckets.add((body as { name: string }).name);
      return ok({});
    }
    return this.buckets.has(name) ? ok({ name }) : refuse(404, 10006, "The specified bucket does not exist.");
  }

  #answerQueues({ method, body, query }: PlatformRequest, id: string, consumer: string): Answer {
    if (method === "POST" && !id) {
      const { queue_name } = body as { queue_name: string };
      this.queues.set(queue_name, { queue_id: `id-of-${queue_name}`, queue_name, consumers: [] });
      return ok({ queue_name });
    }
    const queue = [...this.queues.values()].find(({ queue_id }) => queue_id === id);
    if (queue && method !== "GET") {
      const { script_name, settings } = body as { script_name: string; settings: object };
      const entry = { consumer_id: consumer || randomUUID(), type: "worker", script: script_name, settings };
      queue.consumers = [...queue.consumers.filter(({ script }) => script !== script_name), entry];
      return ok(entry);
    }
    const names = query.getAll("name");
    return ok([...this.queues.values()].filter(({ queue_name }) => names.includes(queue_name)));
  }

  /** Moments in their order, without a clock. */
  #now() {
    this.#moment += 1;
    return new Date(this.#moment * 1_000).toISOString();
  }
}

function newWorker(): FakeWorker {
  const lists = { versions: [], deployments: [], crons: [] };
  return { migrationTag: undefined, classes: new Set(), workersDev: false, settings: {}, ...lists };
}

/** Values of secrets cannot be read from the platform. */
function describeVersion({ id, created_on, annotations, bindings }: FakeVersion) {
  const shown = bindings.map(({ text, ...binding }) =>
    binding.type === "secret_text" ? binding : { ...binding, text },
  );
  const resources = { script: { etag: "etag" }, script_runtime: {}, bindings: shown };
  return {
    id,
    number: 1,
    annotations,
    metadata: { created_on, author_email: "ann@example.com", has_preview: false },
    resources,
  };
}

function subdomainOf({ workersDev }: FakeWorker) {
  return { enabled: workersDev, previews_enabled: false, url: "https://worker.example.workers.dev" };
}

function ok(result: unknown): Answer {
  return { status: 200, result };
}
