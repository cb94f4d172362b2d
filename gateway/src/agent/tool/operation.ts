import * as z from "zod";
import { invalid } from "#shared/error/api-error.ts";
import type { ApiDocument, ApiMethod } from "./agent-caller.ts";
import { agentTool, cursor, idempotencyKey } from "./agent-tool.ts";
import { offsetOf, toTextPage } from "./answer-page.ts";

export const searchOperations = agentTool("search_operations", {
  description:
    "Finds operations of the API by words such as 'vehicle service', or describes one operation and its parameters by `path`.",
  input: z.object({
    words: z.string().min(1).max(200).optional(),
    path: z.string().max(100).optional(),
    cursor: cursor(),
  }),
  async run({ words, path, cursor }, caller) {
    const document = await caller.describeApi();
    if (path !== undefined) return toTextPage(JSON.stringify(describeOperation(path, document)), offsetOf(cursor));
    if (words === undefined) throw invalid("words", "is needed without path");
    return { list: searchDocument(words, document) };
  },
});

export const callOperation = agentTool("call_operation", {
  description:
    "Calls any operation of the API that answers JSON. Operations that change something need an API key that permits it, and an idempotency_key.",
  input: z.object({
    path: z.string().regex(/^\/[a-z_/]{1,100}$/, { error: "must be a path such as /vehicle/list" }),
    parameters: z.record(z.string(), z.unknown()).default({}),
    idempotency_key: idempotencyKey().optional(),
    cursor: cursor().describe("reads on in a long answer"),
  }),
  async run({ path, parameters, idempotency_key, cursor }, caller) {
    const { paths } = await caller.describeApi();
    const operation = paths[path];
    if (operation && !isReading(operation) && idempotency_key === undefined)
      throw invalid("idempotency_key", "is needed by operations that change something");
    return toTextPage(await caller.callText(path, parameters, idempotency_key), offsetOf(cursor));
  },
});

/** The operations with most of the words in path, summary and topic, best first. */
function searchDocument(words: string, { paths }: ApiDocument) {
  const wanted = [...new Set(words.toLowerCase().match(/[\p{L}\p{N}]+/gu))].slice(0, MAX_WORDS);
  const scored = Object.entries(paths).flatMap(([path, methods]) => {
    const { post } = methods;
    if (!post) return [];
    const text = `${path} ${post.summary} ${post.tags.join(" ")}`.toLowerCase();
    // A word of the path tells more than one of the summary.
    const score = wanted.reduce((sum, word) => sum + (text.includes(word) ? 1 : 0) + (path.includes(word) ? 1 : 0), 0);
    return score > 0 ? [{ score, path, summary: post.summary, changes: !isReading(methods) }] : [];
  });
  const best = scored.sort((a, b) => b.score - a.score || a.path.length - b.path.length).slice(0, MAX_OPERATIONS);
  return best.map(({ path, summary, changes }) => ({ path, summary, changes }));
}

/** Operations that only read also answer GET. */
function isReading(methods: Record<string, ApiMethod>) {
  return "get" in methods;
}

/** Summary and parameters of an operation, with the schemas that they refer to. */
function describeOperation(path: string, { paths, components }: ApiDocument) {
  const methods = paths[path];
  const post = methods?.post;
  if (!methods || !post) throw invalid("path", "is no operation; search for one by words");
  const [content] = Object.values(post.requestBody?.content ?? {});
  const parameters = content?.schema ?? {};
  const schemas: Record<string, unknown> = {};
  for (const waiting = [parameters]; waiting.length > 0; ) {
    for (const { 1: name = "" } of JSON.stringify(waiting.pop()).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (name in schemas) continue;
      schemas[name] = components.schemas[name];
      waiting.push(schemas[name] ?? {});
    }
  }
  const { summary, description } = post;
  return { path, summary, description, changes: !isReading(methods), parameters, schemas };
}

const MAX_WORDS = 20;
const MAX_OPERATIONS = 12;
