import type * as z from "zod";
import type { Credential } from "../caller/principal.ts";
import { ERRORS, type ErrorCode } from "../error/api-error.ts";
import type { Expensive, Operation, Reply } from "./declaration.ts";
import { type Components, type DescribedSchemas, describeSchemas, isFile, isJsonText, replyOf } from "./json-schema.ts";
import { MEDIA_TYPES } from "./media-type.ts";

/** A group of operations in the description (tag); the longest matching path prefix decides. */
export type Topic = { name: string; description: string; paths: `/${string}`[] };

/** A Worker's part of the OpenAPI 3.1 document. */
export type Description = {
  paths: Record<string, unknown>;
  schemas: Components;
  tags: { name: string; description: string }[];
};

/** Schemas by their names in the description. */
export type NamedSchemas = Record<string, z.ZodType>;

/** Describes a Worker's operations from their declarations. */
export function describeOperations<Env>(
  operations: Operation<Env>[],
  { topics, named }: { topics: Topic[]; named: NamedSchemas },
): Description {
  const schemas = describeSchemas(named);
  const paths = Object.fromEntries(
    operations.map((operation) => [operation.path, pathItem(operation, topicOf(operation.path, topics), schemas)]),
  );
  const unused = Object.keys(named).filter((name) => !schemas.components[name]);
  if (unused.length > 0) throw new Error(`No operation takes or answers ${unused.join(", ")}.`);
  return {
    paths,
    schemas: schemas.components,
    tags: topics.map(({ name, description }) => ({ name, description })),
  };
}

/** Path segments in camel case; `batch/create` and `batch_create` stay different. */
export function operationIdOf(path: string) {
  return path
    .slice(1)
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    .replaceAll("/", "_");
}

/** Whether the operation takes an `Idempotency-Key`: calls without a credential ignore it. */
function showsKey<Env>({ reads, accepts }: Pick<Operation<Env>, "reads" | "accepts">) {
  return !reads && !accepts?.includes("none");
}

function topicOf(path: string, topics: Topic[]) {
  const beginnings = topics.flatMap(({ name, paths }) => paths.map((beginning) => ({ name, beginning })));
  const fitting = beginnings.filter(({ beginning }) => `${path}/`.startsWith(`${beginning}/`));
  const [longest] = fitting.sort((a, b) => b.beginning.length - a.beginning.length);
  if (!longest) throw new Error(`${path} belongs to no topic.`);
  return longest.name;
}

function pathItem<Env>(operation: Operation<Env>, topic: string, schemas: DescribedSchemas) {
  const id = operationIdOf(operation.path);
  const described = {
    summary: operation.summary,
    description: descriptionOf(operation),
    tags: [topic],
    ...(operation.accepts?.includes("none") ? { security: [] } : {}),
    responses: responsesOf(operation, schemas),
    ...(showsKey(operation) ? { parameters: [{ $ref: "#/components/parameters/IdempotencyKey" }] } : {}),
  };
  const post = { ...described, operationId: id, ...bodyOf(operation.input, schemas) };
  if (!operation.reads && !operation.takesGet) return { post };
  const parameters = Object.entries(operation.input.shape).map(([name, schema]) =>
    queryParameter(name, schema, schemas),
  );
  const { parameters: headers = [] } = described;
  return { post, get: { ...described, operationId: `${id}_get`, parameters: [...parameters, ...headers] } };
}

/** Permitted callers, and whether calls take turns, a sentence each; undefined for the default. */
function descriptionOf<Env>({ accepts, masterOnly, right, permission, feature, expensive }: Operation<Env>) {
  const sentences = [
    accepts && !accepts.includes("none") && `Takes the hash of ${accepts.map((kind) => HASH_OF[kind]).join(" or ")}.`,
    masterOnly && "Not for sub-users.",
    right && `Sub-users need the right \`${right}\`.`,
    permission && `The operator needs the permission \`${permission.join(".")}\`.`,
    feature && `The trackers concerned need the tariff's feature \`${feature}\`.`,
    expensive && describeTurns(expensive),
  ].filter((sentence) => typeof sentence === "string");
  return sentences.length > 0 ? sentences.join(" ") : undefined;
}

function describeTurns(expensive: Expensive) {
  const condition = expensive === true ? "" : ` with \`${expensive.with}\``;
  return `Calls${condition} take turns with the other expensive calls of the account.`;
}

function responsesOf<Env>(operation: Operation<Env>, schemas: DescribedSchemas) {
  const { output, reply = ["json"], errors, right, expensive } = operation;
  const implied: ErrorCode[] = [...(right ? ([13] as const) : []), ...(expensive ? ([15] as const) : [])];
  const codes = [...new Set([...implied, ...errors])].sort((a, b) => a - b);
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code][0]);
  const failures = [...byStatus].map(([status, ofStatus]) => [status, failureSchema(ofStatus)]);
  const content = reply
    .filter((kind) => kind !== "redirect")
    .map((kind) => [MEDIA_TYPES[kind], { schema: schemaOfReply(kind, output, schemas) }]);
  return {
    200: {
      description: "Success",
      ...(showsKey(operation) ? { headers: REPLAYED } : {}),
      content: Object.fromEntries(content),
    },
    ...(reply.includes("redirect") ? { 302: REDIRECTED } : {}),
    ...Object.fromEntries(failures),
    "4XX": { $ref: "#/components/responses/Refused" },
    "5XX": { $ref: "#/components/responses/Failed" },
  };
}

/** Schema of the failures with these codes, which share an HTTP status. */
export function failureSchema(codes: ErrorCode[]) {
  const description = codes.map((code) => `${code}: ${ERRORS[code][1]}`).join("; ");
  return { description, content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } } };
}

function schemaOfReply(kind: Reply, output: z.ZodObject, schemas: DescribedSchemas) {
  return kind === "json" ? schemas.of(replyOf(output), "output") : { type: "string", format: "binary" };
}

/** Undefined for operations without parameters. */
function bodyOf(input: z.ZodObject, schemas: DescribedSchemas) {
  const members = Object.values(input.shape);
  if (members.length === 0) return {};
  const type = members.some(isFile) ? "multipart/form-data" : "application/json";
  const required = members.some(isRequired);
  return { requestBody: { required, content: { [type]: { schema: schemas.of(input, "input") } } } };
}

function queryParameter(name: string, member: z.ZodType, schemas: DescribedSchemas) {
  const schema = schemas.of(member, "input");
  const shown = isJsonText(schema, schemas.components) ? { content: { "application/json": { schema } } } : { schema };
  return { name, in: "query", required: isRequired(member), ...shown };
}

function isRequired(member: z.ZodType) {
  return !member.safeParse(undefined).success;
}

const REPLAYED = { "Idempotency-Replayed": { $ref: "#/components/headers/IdempotencyReplayed" } };

const REDIRECTED = {
  description: "A redirect to the `redirect_target` of the call, with the JSON in the query parameter `response`",
  headers: { Location: { schema: { type: "string", format: "uri" } } },
};

const HASH_OF: Record<Credential, string> = {
  none: "no caller",
  ended: "a session that has ended",
  session: "a session",
  delegated: "a session that an operator or the master created",
  api_key: "an API key",
  activation: "an activation link",
  restore: "a link for a new password",
  second_factor: "a log-in that waits for its second step",
  delivery: "a delivery session",
  operator: "an operator's session",
};
