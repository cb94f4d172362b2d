import * as z from "zod";
import type { Principal } from "#shared/caller/principal.ts";
import { IMPORTED, type Imported, ImportProcess } from "#shared/contract/import-process.ts";
import { listAnswer, type Page, serializePages } from "#shared/operation/list-answer.ts";
import type { FilesEnv } from "../env.ts";
import { operation } from "../operation.ts";

export const TypedImport = ImportProcess.extend({ type: z.enum(IMPORTED) });
type TypedImport = z.output<typeof TypedImport>;

export const listImports = operation("/data/import/list", {
  summary: "The imports of all types that are not finished by `import/finish`",
  reads: true,
  input: z.object({
    types: z
      .array(z.enum(IMPORTED))
      .max(100)
      .default([...IMPORTED]),
  }),
  output: z.object({ list: z.array(TypedImport) }),
  errors: [],
  async run({ types }, { env, principal, clock }) {
    const page = await readPage(env, principal, types, 0);
    return listAnswer({}, page.next ? serializePages(TypedImport, page, clock) : page);
  },
});

export const readImport = operation("/data/import/read", {
  summary: "The progress of an import of the given type",
  reads: true,
  input: z.object({ process_id: z.int(), type: z.enum(IMPORTED) }),
  output: z.object({ value: TypedImport }),
  errors: [201],
  async run({ process_id, type }, { env, principal }) {
    return { value: await env.FLEET.readImport(principal, type, process_id) };
  },
});

export const operations = [listImports, readImport];

async function readPage(
  env: FilesEnv,
  principal: Principal,
  types: Imported[],
  after: number,
): Promise<Page<TypedImport>> {
  const { items, isLast } = await env.FLEET.listImports(principal, types, after);
  const last = items.at(-1);
  return { items, next: last && !isLast ? () => readPage(env, principal, types, last.id) : undefined };
}
