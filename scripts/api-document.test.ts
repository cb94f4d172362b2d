import { expect, test } from "vitest";
import { documentOf } from "../gateway/src/receive/documentation.ts";
import { apiDocument } from "./api-document.ts";

type Operation = {
  operationId: string;
  tags: string[];
  security?: [];
  description?: string;
  parameters?: { name: string; schema?: object; content?: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { content?: Record<string, object> }>;
};
const document = apiDocument();
// A document's paths hold operations by method.
const paths = document.paths as Record<string, Record<string, Operation>>;
const operations = Object.values(paths).flatMap((item) => Object.values(item));

test("the API document resolves every reference", () => {
  const references = JSON.stringify(document).match(/(?<="\$ref":")[^"]+/g) ?? [];
  expect(references.length).toBeGreaterThan(1000);
  expect([...new Set(references)].filter((reference) => !isThere(reference))).toEqual([]);
});

test("no operation in the API document shares its operation id with another, whichever method and path", () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(ids.filter((id) => !/^[a-z]\w+$/i.test(id))).toEqual([]);
});

test("the API document gives every operation one tag, and every tag a sentence and operations", () => {
  const names = document.tags.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(operations.filter(({ tags }) => tags.length !== 1 || !names.includes(tags[0] ?? ""))).toEqual([]);
  const used = new Set(operations.flatMap(({ tags }) => tags));
  expect(names.filter((name) => !used.has(name))).toEqual([]);
  for (const { description } of document.tags) expect(description).toMatch(/^[A-Z].+\.$/);
});

test("the API document has named schemas for what clients take and send", () => {
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining([
      ...["Vehicle", "NewVehicle", "ChangedVehicle", "Tracker", "Employee", "Department", "Place", "Zone", "Task"],
      ...["Route", "Checkpoint", "Schedule", "Tag", "Garage", "ServiceTask", "Sensor", "SubUser", "ApiKey", "Failure"],
    ]),
  );
  const reply = paths["/vehicle/read"]?.post?.responses["200"];
  expect(reply).toHaveProperty(["content", "application/json", "schema", "properties", "value"], {
    $ref: "#/components/schemas/Vehicle",
  });
  expect(Object.keys(document.components.schemas).filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([]);
});

test("documentOf refuses two services that use one schema name for different schemas", () => {
  const naming = (Thing: Record<string, unknown>) => ({ paths: {}, tags: [], schemas: { Thing } });
  const text = naming({ type: "string" });
  expect(() => documentOf([text, naming({ type: "string" })], "/api-v2")).not.toThrow();
  expect(() => documentOf([text, naming({ type: "integer" })], "/api-v2")).toThrow("Two schemas are called Thing");
});

test("the API document describes query parameters of several values as JSON text", () => {
  const parameters = paths["/vehicle/list"]?.get?.parameters ?? [];
  const byName = Object.fromEntries(parameters.map(({ name, ...shown }) => [name, shown]));
  expect(byName.sort).toHaveProperty(["content", "application/json", "schema"]);
  expect(byName.sort).not.toHaveProperty("schema");
  expect(byName.limit).toMatchObject({ schema: { type: "integer" } });
});

test("the API document describes uploads as multipart and downloads by their own content type", () => {
  const upload = paths["/data/spreadsheet/parse"]?.post?.requestBody?.content["multipart/form-data"]?.schema;
  expect(upload).toHaveProperty("properties.file", { type: "string", format: "binary" });
  expect(Object.keys(paths["/zone/upload"]?.post?.responses ?? {})).toContain("302");
  expect(Object.keys(paths["/vehicle/service_task/download"]?.post?.responses["200"]?.content ?? {})).toContain(
    "application/pdf",
  );
});

test("the API document says who may call: without a hash, with which session, with which right", () => {
  expect(paths["/user/auth"]?.post?.security).toEqual([]);
  expect(paths["/panel/user/read"]?.post?.description).toContain("an operator's session");
  expect(paths["/vehicle/create"]?.post?.description).toContain("`vehicle_update`");
});

function isThere(reference: string) {
  const found = reference
    .slice(2)
    .split("/")
    .reduce<unknown>((inside, key) => (inside as Record<string, unknown> | undefined)?.[key], document);
  return reference.startsWith("#/") && found !== undefined;
}
