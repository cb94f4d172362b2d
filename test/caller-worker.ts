import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deployedName, WORKERS } from "../scripts/workers.ts";

/** What becomes of the objects of the archive whose keys begin so: of damaged ones the last byte has another value. */
export type ArchiveOrder = { prefix: string; change?: "remove" | "shorten" | "damage" | "add a note" };

/** Only a Worker can call a Worker's methods without the harness waiting, deaf to the databases, for the answer. */
export async function writeCaller(folder: string) {
  const services = WORKERS.map((worker) => `[[services]]\nbinding = "${worker}"\nservice = "${deployedName(worker)}"`);
  const config = [
    'name = "caller"',
    'main = "index.js"',
    'compatibility_date = "2026-11-01"',
    'compatibility_flags = ["service_binding_extra_handlers"]',
    ...services,
    `[[durable_objects.bindings]]\nname = "FEEDS"\nclass_name = "TrackerFeed"\nscript_name = "${deployedName("geo")}"`,
    `[[r2_buckets]]\nbinding = "BUCKET"\nbucket_name = "${deployedName("files")}"`,
    `[[r2_buckets]]\nbinding = "ARCHIVE"\nbucket_name = "${deployedName("geo")}"`,
  ];
  await mkdir(folder);
  await writeFile(join(folder, "wrangler.toml"), config.join("\n"));
  await writeFile(join(folder, "index.js"), CALLER);
  return join(folder, "wrangler.toml");
}

const CALLER = `async function keysOf(bucket, prefix) {
  const { objects } = await bucket.list({ prefix });
  return objects.map(({ key }) => key);
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
    if (method === "erased") return Response.json(await env.FEEDS.getByName(given[0]).isErased());
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
