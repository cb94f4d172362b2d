import * as z from "zod";
import { type IMPORTED, type Imported, ImportProcess, type TypedImport } from "#shared/contract/import-process.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import { downloadHeaders } from "#shared/operation/download.ts";
import { listAnswer, type Page, serializePages, streamOf } from "#shared/operation/list-answer.ts";
import type { FleetEnv } from "../env.ts";
import { operation } from "../operation.ts";
import { IMPORT_FIELDS as EMPLOYEE_FIELDS } from "../people/employee/batch.ts";
import { IMPORT_FIELDS as VEHICLE_FIELDS } from "../vehicle/batch.ts";
import { finishImport, insertImport, requireImport, selectFailed, selectImports } from "./queries.ts";

const MAX_COLUMNS = 256;
const TAB_SEPARATED = "text/tab-separated-values; charset=utf-8";
const ImportId = z.object({ process_id: z.int() });
export const Import = ImportProcess.extend({ type: z.enum(["Employee", "Vehicle"]) });
const ImportList = z.object({ list: z.array(Import) });

export const startEmployeeImport = operation("/employee/import/start", {
  summary: "Imports employees from a parsed spreadsheet, in the background",
  right: "employee_update",
  expensive: true,
  ...declareStart("employee", EMPLOYEE_FIELDS),
});

export const readEmployeeImport = operation("/employee/import/read", {
  summary: "An import of employees and its progress",
  ...declareRead("employee"),
});

export const listEmployeeImports = operation("/employee/import/list", {
  summary: "The imports of employees that are not finished by the user",
  ...declareList("employee"),
});

export const finishEmployeeImport = operation("/employee/import/finish", {
  summary: "Finishes an import of employees that has ended: lists no longer show it",
  right: "employee_update",
  ...declareFinish("employee"),
});

export const downloadFailedEmployees = operation("/employee/import/download_failed", {
  summary: "The lines of an import of employees that were not imported, tab-separated",
  expensive: true,
  ...declareDownload("employee"),
});

export const startVehicleImport = operation("/vehicle/import/start", {
  summary: "Imports vehicles from a parsed spreadsheet, in the background",
  right: "vehicle_update",
  expensive: true,
  ...declareStart("vehicle", VEHICLE_FIELDS),
});

export const readVehicleImport = operation("/vehicle/import/read", {
  summary: "An import of vehicles and its progress",
  ...declareRead("vehicle"),
});

export const listVehicleImports = operation("/vehicle/import/list", {
  summary: "The imports of vehicles that are not finished by the user",
  ...declareList("vehicle"),
});

export const finishVehicleImport = operation("/vehicle/import/finish", {
  summary: "Finishes an import of vehicles that has ended: lists no longer show it",
  right: "vehicle_update",
  ...declareFinish("vehicle"),
});

export const downloadFailedVehicles = operation("/vehicle/import/download_failed", {
  summary: "The lines of an import of vehicles that were not imported, tab-separated",
  expensive: true,
  ...declareDownload("vehicle"),
});

export const operations = [
  startEmployeeImport,
  readEmployeeImport,
  listEmployeeImports,
  finishEmployeeImport,
  downloadFailedEmployees,
  startVehicleImport,
  readVehicleImport,
  listVehicleImports,
  finishVehicleImport,
  downloadFailedVehicles,
];

function declareStart<const Fields extends readonly string[]>(type: Imported, fields: Fields) {
  const input = z.object({
    filename: z.string().min(1).max(100),
    headers: z.array(z.enum(fields)).min(1).max(MAX_COLUMNS),
    user_headers: z.array(z.string().max(255)).max(MAX_COLUMNS).optional(),
  });
  return {
    input,
    output: z.object({ id: z.int() }),
    errors: [15, 233, 234, 247, 268] as (15 | 233 | 234 | 247 | 268)[],
    async run({ filename, headers, user_headers }: z.output<typeof input>, call: Call<FleetEnv>) {
      const { db, env, principal, actor } = call;
      if (user_headers && user_headers.length !== headers.length) {
        throw invalid("user_headers", "must be as many as headers");
      }
      const rows = await env.FILES.rowsOfSheet({ account_id: principal.account_id, file_id: filename });
      if (rows === null) throw new ApiError(233);
      // A sheet with nothing but a header is refused.
      if (rows === 0) throw new ApiError(234);
      const limits = { open: Number(env.OPEN_IMPORTS), rows: Number(env.BATCH_ROWS) };
      const id = await insertImport(db, principal, { type, filename, headers, user_headers, rows }, limits, actor);
      return { id };
    },
  };
}

function declareRead(type: Imported) {
  return {
    reads: true as const,
    input: ImportId,
    output: z.object({ value: Import }),
    errors: [201 as const],
    async run({ process_id }: z.output<typeof ImportId>, { db, principal }: Call<FleetEnv>) {
      return { value: toImport(await requireImport(db, principal, type, process_id)) };
    },
  };
}

function declareList(type: Imported) {
  return {
    reads: true as const,
    input: z.object({}),
    output: ImportList,
    errors: [],
    async run(_: object, { db, principal, clock }: Call<FleetEnv>) {
      const page = toImportPages(await selectImports(db, principal, [type]));
      return listAnswer({}, page.next ? serializePages(Import, page, clock) : page);
    },
  };
}

function declareFinish(type: Imported) {
  return {
    input: ImportId,
    output: z.object({}),
    errors: [201, 280] as (201 | 280)[],
    async run({ process_id }: z.output<typeof ImportId>, { db, principal, actor }: Call<FleetEnv>) {
      await finishImport(db, principal, type, process_id, actor);
      return {};
    },
  };
}

function declareDownload(type: Imported) {
  return {
    reads: true as const,
    reply: ["file" as const],
    input: ImportId,
    output: z.object({}),
    errors: [201, 204] as (201 | 204)[],
    async run({ process_id }: z.output<typeof ImportId>, { db, principal }: Call<FleetEnv>) {
      const failed = await selectFailed(db, principal, type, process_id);
      if (!failed) throw new ApiError(204);
      const headers = downloadHeaders(`failed-${type}s-${process_id}.tsv`, TAB_SEPARATED);
      return new Response(streamOf(readFailedTexts(failed)), { headers });
    },
  };
}

type FailedLines = NonNullable<Awaited<ReturnType<typeof selectFailed>>>;

async function* readFailedTexts({ first, after }: FailedLines) {
  for (let lines = first; lines.length > 0; lines = await after(lines.at(-1)?.line ?? 0)) {
    yield lines.map(({ text }) => `${text}\n`).join("");
  }
}

function toImport({ type, ...process }: TypedImport) {
  return { ...process, type: TITLES[type] };
}

function toImportPages({ items, next }: Page<TypedImport>): Page<z.output<typeof Import>> {
  return { items: items.map(toImport), next: next && (async () => toImportPages(await next())) };
}

const TITLES = { employee: "Employee", vehicle: "Vehicle" } as const satisfies Record<
  (typeof IMPORTED)[number],
  string
>;
