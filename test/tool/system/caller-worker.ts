import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deployedName, WORKERS } from "../../../scripts/workers.ts";

/** Changes archived objects whose keys begin with `prefix`; `damage` changes the last byte. */
export type ArchiveOrder = { prefix: string; change?: "remove" | "shorten" | "damage" | "add a note" };

/** Classes whose objects a test may evict, in order: sockets before the relays that call them, relays before feeds. */
export const OBJECTS = {
  EventSocket: "gateway",
  StateRelay: "geo",
  TrackerFeed: "geo",
  SharedJournalObject: "geo",
} as const;

/** Writes a Worker that calls the methods of others for tests; answers its folder. */
export async function writeCaller(folder: string) {
  const services = WORKERS.map((worker) => `[[services]]\nbinding = "${worker}"\nservice = "${deployedName(worker)}"`);
  const config = [
    'name = "caller"',
    'main = "index.js"',
    // The bundler does not know the runtime's own module that takes an object its memory.
    "no_bundle = true",
    'compatibility_date = "2026-11-01"',
    'compatibility_flags = ["service_binding_extra_handlers", "unsafe_module"]',
    ...services,
    ...Object.entries(OBJECTS).map(
      ([name, worker]) =>
        `[[durable_objects.bindings]]\nname = "${name}"\nclass_name = "${name}"\nscript_name = "${deployedName(worker)}"`,
    ),
    `[[r2_buckets]]\nbinding = "BUCKET"\nbucket_name = "${deployedName("files")}"`,
    `[[r2_buckets]]\nbinding = "ARCHIVE"\nbucket_name = "${deployedName("geo")}"`,
  ];
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "wrangler.toml"), config.join("\n"));
  await writeFile(join(folder, "index.js"), CALLER);
  return folder;
}

const CALLER = `import runtime from "workerd:unsafe";

async function keysOf(bucket, prefix) {
  const { objects } = await bucket.list({ prefix });
  return objects.map(({ key }) => key);
}

async function evict(stub, attempts = 20) {
  const outcome = await Promise.race([evictOnce(stub), afterSilence()]);
  if (outcome === "evicted") return;
  if (attempts === 0) throw new Error("An object is still at work: " + outcome);
  await evict(stub, attempts - 1);
}

// An object that has nothing to do goes by itself; one at work is tried again when it has done more of it.
async function evictOnce(stub) {
  try {
    await runtime.evict(stub, { webSockets: "hibernate" });
  } catch (thrown) {
    if (String(thrown).includes("active references")) return "it is referred to";
    if (!String(thrown).includes("not currently running")) throw thrown;
  }
  return "evicted";
}

// On a busy machine the runtime has kept an eviction waiting for minutes: it is asked again, and the failure says so.
function afterSilence() {
  return new Promise((resolve) => setTimeout(() => resolve("the runtime does not answer"), 10_000));
}

export default {
  async fetch(request, env) {
    const { worker, method, given } = await request.json();
    if (method === "objects") return Response.json(await keysOf(env.BUCKET, given[0]));
    if (method === "archive") {
      if (given[0].change === "add a note") await env.ARCHIVE.put(given[0].prefix + "note", "not of the archive");
      for (const key of await keysOf(env.ARCHIVE, given[0].prefix)) {
        const bytes = new Uint8Array(await (await env.ARCHIVE.get(key)).arrayBuffer());
        if (given[0].change === "remove") await env.ARCHIVE.delete(key);
        if (given[0].change === "shorten") await env.ARCHIVE.put(key, bytes.slice(0, 10));
        if (given[0].change === "damage") await env.ARCHIVE.put(key, bytes.map((byte, index) => byte ^ Number(index === bytes.length - 1)));
      }
      return Response.json(await keysOf(env.ARCHIVE, given[0].prefix));
    }
    if (method === "erased") return Response.json(await env.TrackerFeed.getByName(given[0]).isErased());
    if (method === "evict") {
      for (const [name, ids] of given) for (const id of ids) {
        await evict(env[name].get(env[name].idFromString(id)));
      }
      return Response.json(null);
    }
    // Its request ends without the answer, and with it the call.
    if (method === "leave") {
      env[worker].handle(...given.slice(1)).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, given[0]));
      return Response.json(null);
    }
    if (method === "scheduled") return Response.json(await env[worker].scheduled(given[0]));
    const answer = await env[worker][method](...given);
    return method === "handle" ? new Response(answer.body, { status: answer.status }) : Response.json(answer ?? null);
  },
};`;
