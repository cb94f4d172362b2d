import { pathItems } from "#shared/operation/open-api.ts";
import type { GatewayEnv } from "../env.ts";
import { operations } from "../operations.ts";
import { baseUrl, type GatewayCall } from "./gateway-call.ts";
import { reply } from "./reply.ts";

export async function showDocs(call: GatewayCall): Promise<Response> {
  return reply(call, new Response(DOCS_PAGE, { headers: { "Content-Type": "text/html; charset=utf-8" } }));
}

export async function showOpenApi(call: GatewayCall): Promise<Response> {
  return reply(call, Response.json(await openApi(call.env, baseUrl(call))));
}

/** The OpenAPI 3.1 document of the whole system: each service describes its own operations. */
async function openApi(env: GatewayEnv, baseUrl: string) {
  const services = [env.FLEET, env.TASKS, env.GEO, env.FILES, env.REPORTS];
  const described = await Promise.all(services.map((service) => service.describe()));
  return {
    openapi: "3.1.0",
    info: { title: "Fleet monitoring API", version: "2", license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    paths: Object.assign({}, pathItems(operations), ...described),
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "The hash of a session or an API key" },
      },
      schemas: { Failure: FAILURE },
    },
  };
}

/** A page that lists the operations of `openapi.json`, without anything from elsewhere. */
const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Fleet monitoring API</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b1f24; }
h2 { margin: 2rem 0 .5rem; text-transform: capitalize; }
summary { cursor: pointer; padding: .25rem 0; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
pre { background: #f3f5f7; padding: 1rem; overflow: auto; border-radius: .5rem; }
small { color: #5a6470; }
</style>
</head>
<body>
<h1>Fleet monitoring API</h1>
<p>Every call is a POST with JSON; the same description for programs is <a href="/api-v2/openapi.json">openapi.json</a>.</p>
<main>Loading…</main>
<script type="module">
const main = document.querySelector("main");
const description = await fetch("/api-v2/openapi.json").then((response) => response.json());
const byTag = Map.groupBy(Object.entries(description.paths), ([, { post, get }]) => (post ?? get).tags[0]);
main.replaceChildren(...[...byTag].sort().flatMap(([tag, paths]) => [element("h2", tag), ...paths.map(operation)]));
function operation([path, { post, get }]) {
  const details = element("details");
  const summary = element("summary");
  const shown = post ?? get;
  const methods = [get && "GET", post && "POST"].filter(Boolean).join(" or ");
  summary.append(element("code", path), " ", element("small", methods + " — " + shown.summary));
  const failures = Object.entries(shown.responses).filter(([status]) => status !== "200");
  const input = Object.values(shown.requestBody?.content ?? {})[0]?.schema ?? shown.parameters;
  const output = Object.values(shown.responses[200].content)[0].schema;
  details.append(summary, element("h4", "Parameters"), json(input), element("h4", "Answer"), json(output));
  for (const [status, { description }] of failures) details.append(element("p", status + " — " + description));
  return details;
}
function json(value) { return element("pre", JSON.stringify(value, null, 2)); }
function element(name, text) { const made = document.createElement(name); if (text) made.textContent = text; return made; }
</script>
</body>
</html>
`;

const FAILURE = {
  type: "object",
  required: ["success", "status"],
  properties: {
    success: { const: false },
    status: {
      type: "object",
      required: ["code", "description"],
      properties: { code: { type: "integer" }, description: { type: "string" } },
    },
    errors: {
      type: "array",
      items: {
        type: "object",
        properties: { parameter: { type: "string" }, error: { type: "string" } },
      },
    },
  },
};
