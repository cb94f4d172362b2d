// Stands in front of a Worker's bundle, in its isolate, and counts what its Durable Objects are billed for. Time is the
// caller's here: a request that names a moment is served as at that moment, and alarms are due by it. No bundler sees this.

/** By name. */
const counts = new Map();
/** Of objects, by binding and name: when their alarms are due. */
const dues = new Map();
/** To whom a storage belongs. */
const owners = new WeakMap();
const realNow = Date.now;
let now = 0;
Date.now = () => now || realNow();

function add(what, number = 1) {
  if (number > 0) counts.set(what, (counts.get(what) ?? 0) + number);
}

/** The class, whose calls and alarms are counted, how long they take, and what they do to storage. */
export function metered(binding, Base) {
  class Metered extends Base {
    #calls = 0;
    #since = 0;

    constructor(ctx, env) {
      watch(ctx.storage);
      watchBuckets(env);
      owners.set(ctx.storage, { binding, name: ctx.id.name });
      super(ctx, env);
    }

    ring() {
      return this.alarm();
    }

    /** Calls at the same time count once: an object is billed for the time in which it does anything. */
    async during(call) {
      if (this.#calls++ === 0) this.#since = performance.now();
      try {
        return await call();
      } finally {
        if (--this.#calls === 0) add(`ms ${binding}`, performance.now() - this.#since);
      }
    }

    bytes() {
      return this.ctx.storage.sql.databaseSize;
    }
  }
  for (const method of Object.getOwnPropertyNames(Base.prototype)) {
    if (method === "constructor") continue;
    Metered.prototype[method] = function (...given) {
      add(`requests ${binding} ${method}`);
      return this.during(() => Base.prototype[method].apply(this, given));
    };
  }
  return Metered;
}

/** The entrypoint: what a device sends is taken in at the moment that it names as `timestamp`. */
export function meteredService(Base) {
  return class extends Base {
    constructor(ctx, env) {
      watchBuckets(env);
      super(ctx, env);
    }

    async ingest(request, id) {
      const at = /[?&]timestamp=(\d+)/.exec(request.url);
      if (at) await advance(Number(at[1]) * 1000, this.env);
      return super.ingest(request, id);
    }

    /** `/begin/<milliseconds>` is when it is, `/take` answers what was counted since, `/bytes/<binding>/<name>` how large an object's storage is. */
    async fetch(request) {
      const [, what, binding, name] = new URL(request.url).pathname.split("/");
      if (what === "begin") {
        now = Number(binding);
        dues.clear();
      }
      if (what === "bytes") return Response.json(await this.env[binding].getByName(name).bytes());
      if (what !== "begin" && what !== "take") return super.fetch(request);
      return takeCounts();
    }
  };
}

/** The entrypoint of a Worker that keeps the real time, alarms included. `/take` answers what was counted since. */
export function meteredHandlers(handlers) {
  hasRealTime = true;
  return {
    ...handlers,
    fetch(request, env, ctx) {
      return new URL(request.url).pathname === "/take" ? takeCounts() : handlers.fetch(request, env, ctx);
    },
  };
}

function takeCounts() {
  const taken = Object.fromEntries(counts);
  counts.clear();
  return Response.json(taken);
}

/** Alarms ring that are due by then. */
async function advance(time, env) {
  now = Math.max(now, time);
  for (const [key, { binding, name, due }] of dues) {
    if (due > now) continue;
    dues.delete(key);
    await env[binding].getByName(name).ring();
  }
}

let isWatched = false;
let hasRealTime = false;

/** All objects of the isolate have the same prototypes. */
function watch(storage) {
  if (isWatched) return;
  isWatched = true;
  watchStatements(Object.getPrototypeOf(storage.sql));
  watchValues(Object.getPrototypeOf(storage.kv));
  const prototype = Object.getPrototypeOf(storage);
  if (hasRealTime) return countCalls(prototype, { setAlarm: "written alarm" });
  prototype.setAlarm = async function (time) {
    add("written alarm");
    const owner = owners.get(this);
    dues.set(`${owner.binding}/${owner.name}`, { ...owner, due: Number(time) });
  };
}

/** As the storage itself counts them: rows of tables and of indexes. */
function watchStatements(prototype) {
  const { exec } = prototype;
  prototype.exec = function (text, ...values) {
    const cursor = exec.call(this, text, ...values);
    const [verb, table] = [/^\w+/.exec(text)?.[0], /(?:INTO|FROM|UPDATE|EXISTS) (\w+)/.exec(text)?.[1]];
    // Whoever reads rows has done so when the call that asked for them is over.
    queueMicrotask(() => {
      add(`written ${verb} ${table}`, cursor.rowsWritten);
      add("read", cursor.rowsRead);
    });
    return cursor;
  };
}

let hasBuckets = false;

/** Of all buckets, whatever they are bound as. */
function watchBuckets(env) {
  // A binding to another Worker seems to have every method.
  const bucket = Object.values(env).find((binding) => binding?.constructor?.name === "R2Bucket");
  if (hasBuckets || !bucket) return;
  hasBuckets = true;
  countCalls(Object.getPrototypeOf(bucket), {
    put: "bucket written",
    list: "bucket written",
    createMultipartUpload: "bucket written",
    get: "bucket read",
    head: "bucket read",
  });
}

/** Values by name are billed as rows. */
function watchValues(prototype) {
  countCalls(prototype, { put: "written value", delete: "written value", get: "read", list: "read" });
}

function countCalls(prototype, names) {
  for (const [method, what] of Object.entries(names)) {
    const does = prototype[method];
    prototype[method] = function (...given) {
      add(what);
      return does.apply(this, given);
    };
  }
}
