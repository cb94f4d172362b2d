import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { operationIdOf } from "../../shared/operation/open-api.ts";
import { apiDocument } from "../api-document.ts";
import { ROOT } from "../workers.ts";
import { isMadeOf, originOf, writeWhole } from "./origin.ts";

export const PYTHON_CLIENT = join(ROOT, "clients", "python");
const PACKAGE = join(PYTHON_CLIENT, "src", "fleet_monitoring_client");

/** The generator of the models, in a Python environment that has it. */
export const MODEL_GENERATOR = "datamodel-code-generator==0.89.0";

/**
 * Writes the types of the Python client: `models.py` by the generator in the folder of programs `bin`, and `operations.py`
 * with an overload of `call` for each operation, because Python has no types that depend on a path. Where both are of the
 * present description already, they stay.
 */
export async function writePythonTypes(bin: string): Promise<void> {
  const folder = join(ROOT, ".build", "python-client");
  await mkdir(folder, { recursive: true });
  const [description, generated] = [join(folder, "openapi.json"), join(folder, "models.py")];
  const [models, operations] = [join(PACKAGE, "models.py"), join(PACKAGE, "operations.py")];
  const described = JSON.stringify(apiDocument());
  const origin = originOf(described, MODEL_GENERATOR, await readFile(import.meta.filename, "utf8"));
  if (isMadeOf(models, origin) && isMadeOf(operations, origin)) return;
  await writeFile(description, described);
  await promisify(execFile)(join(bin, "datamodel-codegen"), [
    ...OPTIONS,
    "--input",
    description,
    "--output",
    generated,
  ]);
  const classes = await readFile(generated, "utf8");
  await writeWhole(models, `# ${origin}\n${classes}`);
  await writeWhole(operations, `# ${origin}\n${operationsModule(classes)}`);
}

/** Dictionaries instead of objects: replies may have members that an older client does not know. */
const OPTIONS = [
  ...["--input-file-type", "openapi", "--openapi-scopes", "schemas", "paths", "--use-operation-id-as-name"],
  ...["--output-model-type", "typing.TypedDict", "--no-use-closed-typed-dict", "--enum-field-as-literal", "all"],
  ...["--target-python-version", "3.11", "--reuse-model", "--disable-timestamp", "--formatters", "builtin"],
];

type Operation = { path: string; request: string | undefined; isOptional: boolean; response: string | undefined };

function operationsModule(models: string): string {
  const classes = classesIn(models);
  const operations = Object.entries(apiDocument().paths).map(([path, methods]) => toOperation(path, methods, classes));
  const calls = operations.filter(({ response }) => response !== undefined);
  const pages = calls.flatMap((operation) => {
    const item = isPaged(operation, classes) ? itemOf(operation.response, classes) : undefined;
    return item === undefined ? [] : [{ ...operation, item }];
  });
  const files = operations.filter(({ response }) => response === undefined);
  return [
    HEADER,
    ...calls.map((one) => overload("call", one, `m.${one.response}`, IDEMPOTENCY)),
    CALL,
    ...pages.map((one) => overload("each", one, `Iterator[m.${one.item}]`, "")),
    EACH,
    ...files.map((one) => overload("file", one, "httpx.Response", "")),
    FILE,
  ].join("\n");
}

type Classes = Map<string, { parent: string; body: string }>;

/** The classes of the models by name, with the class that each extends. */
function classesIn(models: string): Classes {
  const classes: Classes = new Map();
  for (const text of models.split(/\n\n\n/)) {
    const { name, parent } =
      (/^class (?<name>\w+)\((?<parent>\w+)/.exec(text) ?? /^(?<name>\w+) = (?<parent>TypedDict)\(/.exec(text))
        ?.groups ?? {};
    if (name && parent) classes.set(name, { parent, body: text });
  }
  return classes;
}

/** The text of a class and of all that it extends. */
function wholeBody(name: string | undefined, classes: Classes): string {
  const found = name === undefined ? undefined : classes.get(name);
  return found ? found.body + wholeBody(found.parent, classes) : "";
}

function toOperation(path: string, methods: unknown, classes: Classes): Operation {
  const { post } = methods as { post?: { responses: Record<string, { content?: object }> } }; // as our document has them
  const id = operationIdOf(path)
    .split("_")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
  const request = classes.has(`${id}Request`) ? `${id}Request` : undefined;
  const members = wholeBody(request, classes).matchAll(/^ {4,8}'?\w+'?: (?!pass)(\S+)/gm);
  const isOptional = [...members].every(({ 1: type = "" }) => type.startsWith("NotRequired"));
  const answersJson = "application/json" in (post?.responses["200"]?.content ?? {});
  return {
    path,
    request,
    isOptional,
    response: answersJson && classes.has(`${id}Response`) ? `${id}Response` : undefined,
  };
}

function isPaged({ request }: Operation, classes: Classes): boolean {
  const body = wholeBody(request, classes);
  return /\boffset'?: /.test(body) && /\blimit'?: /.test(body);
}

function itemOf(response: string | undefined, classes: Classes): string | undefined {
  return /^ {4}list: list\[(?<item>\w+)\]/m.exec(wholeBody(response, classes))?.groups?.item;
}

function overload(method: string, { path, request, isOptional }: Operation, result: string, more: string): string {
  const type = request === undefined ? "None" : `m.${request}${isOptional ? " | None" : ""}`;
  const parameters = request === undefined || isOptional ? `${type} = None` : type;
  return `    @overload
    def ${method}(self, path: Literal["${path}"], parameters: ${parameters}${more}) -> ${result}: ...
`;
}

const IDEMPOTENCY = ", *, idempotency_key: str | None = None";

const HEADER = `"""An overload for each operation, made from the API description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, overload

import httpx

from . import models as m


class Operations:
    """The operations of the API by their paths."""
`;
const CALL = `    def call(self, path: str, parameters: Any = None, *, idempotency_key: str | None = None) -> Any:
        """Calls an operation and returns its reply. Raises \`\`ApiError\`\` for a refusal.

        With an idempotency key a call takes effect once, and is repeated when its answer was lost.
        """
        return self._ask(path, parameters, idempotency_key).json()
`;
const EACH = `    def each(self, path: str, parameters: Any = None) -> Iterator[Any]:
        """Every item of a list, page by page: \`\`limit\`\` of the parameters is the size of a page.

        Items that are added or deleted meanwhile may be missing or come twice.
        """
        return self._items(path, parameters)
`;
const FILE = `    def file(self, path: str, parameters: Any = None) -> httpx.Response:
        """Calls an operation that answers a file; the content of the response is the file."""
        return self._ask(path, parameters, None)

    def _ask(self, path: str, parameters: Mapping[str, Any] | None, idempotency_key: str | None) -> httpx.Response:
        raise NotImplementedError

    def _items(self, path: str, parameters: Mapping[str, Any] | None) -> Iterator[Any]:
        raise NotImplementedError
`;
