import { z } from "zod";
import { ERRORS, type ErrorCode } from "../error/api-error.ts";
import type { Operation, Reply } from "./declaration.ts";
import { MEDIA_TYPES } from "./media-type.ts";

/** The OpenAPI 3.1 path items of a service's operations, from their declarations. */
export function pathItems<Env>(operations: Operation<Env>[]): Record<string, unknown> {
  return Object.fromEntries(operations.map((operation) => [operation.path, pathItem(operation)]));
}

function pathItem<Env>(operation: Operation<Env>) {
  const described = {
    summary: operation.summary,
    tags: [operation.path.split("/")[1]],
    ...(needsNobody(operation) ? { security: [] } : {}),
    responses: responsesOf(operation),
  };
  const post = { ...described, operationId: nameOf(operation.path), requestBody: bodyOf(operation.input) };
  if (!operation.reads) return { post };
  const parameters = Object.entries(operation.input.shape).map(([name, schema]) => queryParameter(name, schema));
  return { post, get: { ...described, operationId: `${nameOf(operation.path)}_get`, parameters } };
}

function responsesOf<Env>({ output, reply = ["json"], errors, right }: Operation<Env>) {
  const codes = [...new Set<ErrorCode>([...(right ? ([13] as const) : []), ...errors])].sort((a, b) => a - b);
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code][0]);
  const failures = [...byStatus].map(([status, ofStatus]) => {
    const description = ofStatus.map((code) => `${code}: ${ERRORS[code][1]}`).join("; ");
    return [
      status,
      { description, content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } } },
    ];
  });
  const content = Object.fromEntries(reply.map((kind) => [MEDIA_TYPES[kind], { schema: schemaOfReply(kind, output) }]));
  return { 200: { description: "Success", content }, ...Object.fromEntries(failures) };
}

function schemaOfReply(kind: Reply, output: z.ZodObject) {
  return kind === "json" ? jsonReply(output) : { type: "string", format: "binary" };
}

/** The JSON Schema of a successful reply, which has no members besides. */
export function jsonReply(output: z.ZodObject) {
  return jsonSchema(z.object({ success: z.literal(true) }).extend(output.shape), "output");
}

function bodyOf(input: z.ZodObject) {
  const isUpload = Object.values(input.shape).some((member) => JSON.stringify(jsonSchema(member, "input")) === FILE);
  const type = isUpload ? "multipart/form-data" : "application/json";
  return { content: { [type]: { schema: jsonSchema(input, "input") } } };
}

function queryParameter(name: string, schema: z.ZodType) {
  return { name, in: "query", required: !schema.safeParse(undefined).success, schema: jsonSchema(schema, "input") };
}

function jsonSchema(schema: z.ZodType, io: "input" | "output") {
  const { $schema, ...described } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      const shown = WIRE[String(z.globalRegistry.get(zodSchema)?.wire)];
      if (!shown) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, shown);
    },
  });
  return described;
}

function needsNobody<Env>({ accepts }: Operation<Env>) {
  return accepts?.includes("none") === true;
}

function nameOf(path: string) {
  return path.slice(1).replaceAll("/", "_");
}

/** How what is marked by `wire` looks outside. */
const WIRE: Record<string, object> = {
  "date-time": { type: "string", examples: ["2026-05-02 10:15:00"] },
  file: { type: "string", format: "binary" },
};
const FILE = JSON.stringify(WIRE.file);
