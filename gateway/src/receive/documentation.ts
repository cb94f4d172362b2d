import { createHash } from "node:crypto";
import { IDEMPOTENCY_KEY } from "#shared/database/idempotency/keyed-call.ts";
import { ERRORS, type ErrorCode } from "#shared/error/api-error.ts";
import { addComponent, type Components } from "#shared/operation/json-schema.ts";
import { type Description, failureSchema } from "#shared/operation/open-api.ts";
import type { ApiDocument } from "../agent/tool/agent-caller.ts";
import { describe } from "../description.ts";
import type { GatewayEnv } from "../env.ts";
import { describeEvents } from "../event/describe.ts";
import { type GatewayCall, VERSION } from "./call/gateway-call.ts";
import { reply } from "./reply.ts";

/** The OpenAPI document, or 304 if the caller has it already. An isolate composes it once: its release never changes. */
export async function showOpenApi(call: GatewayCall): Promise<Response> {
  const { text, etag } = await readOpenApi(call.env);
  const headers = { "Content-Type": "application/json", ETag: etag, "Cache-Control": "no-cache" };
  const isKnown = call.req
    .header("If-None-Match")
    ?.split(/\s*,\s*/)
    .includes(etag);
  return reply(call, isKnown ? new Response(null, { status: 304, headers }) : new Response(text, { headers }));
}

/** The OpenAPI document as a value, for agents that search it. */
export async function readApiDocument(env: GatewayEnv): Promise<ApiDocument> {
  const { text } = await readOpenApi(env);
  // The text was made of such a document.
  parsed ??= JSON.parse(text) as ApiDocument;
  return parsed;
}

function readOpenApi(env: GatewayEnv): ReturnType<typeof composeOpenApi> {
  composed ??= composeOpenApi(env).catch((thrown) => {
    composed = undefined;
    throw thrown;
  });
  return composed;
}

let composed: ReturnType<typeof composeOpenApi> | undefined;
/** Parsed for the first agent only. */
let parsed: ApiDocument | undefined;

/** The OpenAPI 3.1 document of the whole system as JSON text: each service describes its own operations. */
async function composeOpenApi(env: GatewayEnv): Promise<{ text: string; etag: string }> {
  const services = [env.FLEET, env.TASKS, env.GEO, env.FILES, env.REPORTS];
  const described = await Promise.all(services.map((service) => service.describe()));
  // Without a public URL the server is named relative to the document's own: the caller chooses the `Host` header.
  const text = JSON.stringify(documentOf([describe(), ...described], (env.PUBLIC_URL ?? "") + VERSION));
  return { text, etag: `"${createHash("sha256").update(text).digest("base64url")}"` };
}

/** Merges the descriptions of all Workers into one document. */
export function documentOf(descriptions: Description[], baseUrl: string) {
  const schemas: Components = { Failure: FAILURE };
  const events = describeEvents();
  for (const [name, schema] of [...descriptions, events].flatMap((described) => Object.entries(described.schemas)))
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
    webhooks: events.webhooks,
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
          description:
            "The hash as a parameter: in the query, or as the member `hash` of the body, which overrides the query",
        },
      },
      parameters: {
        IdempotencyKey: {
          name: "Idempotency-Key",
          in: "header",
          required: false,
          description:
            "A key of this call, chosen by the caller: the call can be repeated with it and takes effect once",
          schema: { type: "string", pattern: IDEMPOTENCY_KEY.source },
        },
      },
      headers: {
        IdempotencyReplayed: {
          description: "`true` if this is the answer to an earlier call with the same `Idempotency-Key`",
          schema: { type: "string", enum: ["true"] },
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
Parameters may also be sent as a form, as multipart or in the query, where arrays and objects are JSON text. Operations
that only read also answer GET.

**Hash.** Calls send the hash of a session, which \`/user/auth\` answers for login and password, or of an API key, which
\`/api/key/create\` creates: as \`Authorization: Bearer <hash>\` or \`Authorization: FMS <hash>\`, as the member \`hash\` of
the body, or as \`hash\` in the query.

**Answers.** \`{"success": true, …}\` with HTTP 200, or \`{"success": false, "status": {"code", "description"}}\` with another
status. Test the code, because descriptions may change. Besides the codes listed with an operation, those of "Refused" and
"Failed" are possible everywhere. With code 7 \`errors\` names the wrong parameters.

**Dates.** \`YYYY-MM-DD HH:MM:SS\` in the user's time zone. With the header \`FMS-ISO-DateTime: true\`, or the parameter
\`iso_datetime\` true, a call reads and writes ISO 8601 with an offset.

**Repetitions.** A call that changes something takes the header \`Idempotency-Key\`, 8 to 64 visible ASCII characters that
the caller chooses for this call. If no answer came, the same call with the same key takes effect only if the first did not,
and gets the first answer, then with the header \`Idempotency-Replayed: true\`. Keys are kept for 24 hours by hash and path.
With other parameters a key is refused with code 7; while the first call is running the answer is code 15. A refused call
leaves its key free. Calls without a valid hash, such as log-ins, ignore the header.

**Rates.** 50 calls a second and hash, unless the installation has another rate: see the headers \`RateLimit-Limit\`,
\`RateLimit-Remaining\` and \`RateLimit-Reset\`. All hashes of an account together have 500 calls a second. Above the rate the
answer is code 15 with \`Retry-After\`.

**Changes.** New versions add members to answers: ignore members that you do not know.`;

const FAILURE = {
  type: "object",
  description: "The answer to a failed call; some codes have further members",
  required: ["success", "status"],
  properties: {
    success: { type: "boolean", const: false },
    status: {
      type: "object",
      required: ["code", "description"],
      properties: {
        code: { type: "integer", enum: Object.keys(ERRORS).map(Number) },
        description: { type: "string", description: "Text for people; it may change" },
      },
    },
    errors: {
      type: "array",
      description: "The wrong parameters, with code 7",
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
