import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deployedName, WORKERS } from "../scripts/workers.ts";

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
  ];
  await mkdir(folder);
  await writeFile(join(folder, "wrangler.toml"), config.join("\n"));
  await writeFile(join(folder, "index.js"), CALLER);
  return join(folder, "wrangler.toml");
}

const CALLER = `export default {
  async fetch(request, env) {
    const { worker, method, given } = await request.json();
    if (method === "objects") {
      const { objects } = await env.BUCKET.list({ prefix: given[0] });
      return Response.json(objects.map(({ key }) => key));
    }
    if (method === "erased") return Response.json(await env.FEEDS.getByName(given[0]).isErased());
    if (method === "scheduled") return Response.json(await env[worker].scheduled(given[0]));
    const answer = await env[worker][method](...given);
    return method === "handle" ? new Response(answer.body, { status: answer.status }) : Response.json(answer ?? null);
  },
};`;
