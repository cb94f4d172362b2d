import { ERRORS, type ErrorCode } from "#shared/error/api-error.ts";
import { addComponent, type Components } from "#shared/operation/json-schema.ts";
import { type Description, failureSchema } from "#shared/operation/open-api.ts";
import { describe } from "../description.ts";
import type { GatewayEnv } from "../env.ts";
import { type GatewayCall, originOf, VERSION } from "./gateway-call.ts";
import { reply } from "./reply.ts";

export async function showOpenApi(call: GatewayCall): Promise<Response> {
  return reply(call, Response.json(await composeOpenApi(call.env, originOf(call.req.url) + VERSION)));
}

/** The OpenAPI 3.1 document of the whole system: each service describes its own operations. */
async function composeOpenApi(env: GatewayEnv, baseUrl: string) {
  const services = [env.FLEET, env.TASKS, env.GEO, env.FILES, env.REPORTS];
  const described = await Promise.all(services.map((service) => service.describe()));
  return documentOf([describe(), ...described], baseUrl);
}

/** Merges the descriptions of all Workers into one document. */
export function documentOf(descriptions: Description[], baseUrl: string) {
  const schemas: Components = { Failure: FAILURE };
  for (const [name, schema] of descriptions.flatMap(({ schemas }) => Object.entries(schemas)))
    addComponent(schemas, name, schema);
  return {
    openapi: "3.1.0",
    info: {
      title: "Fleet monitoring API",
      version: "2",
      description: INTRODUCTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }, { header: [] }, { query: [] }],
    tags: descriptions.flatMap(({ tags }) => tags),
    paths: Object.assign({}, ...descriptions.map(({ paths }) => paths)),
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "The hash of a session or an API key" },
        header: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description: "`FMS <hash>`, which means the same as `Bearer <hash>`",
        },
        query: {
          type: "apiKey",
          in: "query",
          name: "hash",
          description: "The hash as a parameter: in the query, or as the member `hash` of the body, which wins",
        },
      },
      responses: { Refused: failureSchema(REFUSED), Failed: failureSchema(FAILED) },
      schemas,
    },
  };
}

/** Codes that every call may get: because of the caller (refused), or of the system (failed). */
const REFUSED: ErrorCode[] = [3, 4, 5, 7, 9, 11, 12, 13, 15];
const FAILED: ErrorCode[] = [6, 14];

const INTRODUCTION = `Every call is a POST to \`{base_url}\` plus the operation's path, with its parameters as a JSON object.
They may also come as a form, as multipart or in the query, where arrays and objects are JSON text. Operations that only
read also answer GET.

**Hash.** Calls carry the hash of a session, which \`/user/auth\` answers to login and password, or of an API key, which
\`/api/key/create\` makes: as \`Authorization: Bearer <hash>\` or \`Authorization: FMS <hash>\`, as the member \`hash\` of the
body, or as \`hash\` in the query.

**Answers.** \`{"success": true, …}\` with HTTP 200, else \`{"success": false, "status": {"code", "description"}}\` with another
status. Test the code, for descriptions may change. Besides the codes that stand at an operation, those of "Refused" and
"Failed" are possible everywhere. Of code 7 \`errors\` says which parameters are wrong.

**Dates.** \`YYYY-MM-DD HH:MM:SS\` in the user's time zone. With the header \`FMS-ISO-DateTime: true\`, or the parameter
\`iso_datetime\` true, a call reads and writes ISO 8601 with an offset.

**Rates.** 50 calls a second and hash, unless the installation has another rate; \`RateLimit-Limit\`, \`RateLimit-Remaining\` and
\`RateLimit-Reset\` tell. All hashes of an account together make 500 calls a second. Above it the answer is code 15 with
\`Retry-After\`.

**Changes.** Members are added to answers: pass over those that you do not know.`;

const FAILURE = {
  type: "object",
  description: "The answer to a call that failed; some codes have members besides",
  required: ["success", "status"],
  properties: {
    success: { type: "boolean", const: false },
    status: {
      type: "object",
      required: ["code", "description"],
      properties: {
        code: { type: "integer", enum: Object.keys(ERRORS).map(Number) },
        description: { type: "string", description: "For people; it may change" },
      },
    },
    errors: {
      type: "array",
      description: "What is wrong with the parameters, of code 7",
      items: {
        type: "object",
        required: ["parameter", "error"],
        properties: {
          parameter: { type: "string", description: "Its path, as in `vehicle.label`" },
          error: { type: "string" },
        },
      },
    },
  },
};
