import { z } from "zod";
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

const MOST_COLUMNS = 256;
const TAB_SEPARATED = "text/tab-separated-values; charset=utf-8";
const ById = z.object({ process_id: z.int() });
export const Shown = ImportProcess.extend({ type: z.enum(["Employee", "Vehicle"]) });
const List = z.object({ list: z.array(Shown) });

export const startEmployeeImport = operation("/employee/import/start", {
  summary: "Imports employees from a parsed spreadsheet, in the background",
  right: "employee_update",
  ...starting("employee", EMPLOYEE_FIELDS),
});

export const readEmployeeImport = operation("/employee/import/read", {
  summary: "How far an import of employees is",
  ...reading("employee"),
});

export const listEmployeeImports = operation("/employee/import/list", {
  summary: "The imports of employees that are not put away",
  ...listing("employee"),
});

export const finishEmployeeImport = operation("/employee/import/finish", {
  summary: "Puts away an import of employees that has ended",
  right: "employee_update",
  ...finishing("employee"),
});

export const downloadFailedEmployees = operation("/employee/import/download_failed", {
  summary: "The lines of an import of employees that were not imported, tab-separated",
  ...downloading("employee"),
});

export const startVehicleImport = operation("/vehicle/import/start", {
  summary: "Imports vehicles from a parsed spreadsheet, in the background",
  right: "vehicle_update",
  ...starting("vehicle", VEHICLE_FIELDS),
});

export const readVehicleImport = operation("/vehicle/import/read", {
  summary: "How far an import of vehicles is",
  ...reading("vehicle"),
});

export const listVehicleImports = operation("/vehicle/import/list", {
  summary: "The imports of vehicles that are not put away",
  ...listing("vehicle"),
});

export const finishVehicleImport = operation("/vehicle/import/finish", {
  summary: "Puts away an import of vehicles that has ended",
  right: "vehicle_update",
  ...finishing("vehicle"),
});

export const downloadFailedVehicles = operation("/vehicle/import/download_failed", {
  summary: "The lines of an import of vehicles that were not imported, tab-separated",
  ...downloading("vehicle"),
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

function starting<const Fields extends readonly string[]>(type: Imported, fields: Fields) {
  const input = z.object({
    filename: z.string().min(1).max(100),
    headers: z.array(z.enum(fields)).min(1).max(MOST_COLUMNS),
    user_headers: z.array(z.string().max(255)).max(MOST_COLUMNS).optional(),
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
      // A sheet of nothing but its header.
      if (rows === 0) throw new ApiError(234);
      const limits = { open: Number(env.OPEN_IMPORTS), rows: Number(env.BATCH_ROWS) };
      const id = await insertImport(db, principal, { type, filename, headers, user_headers, rows }, limits, actor);
      return { id };
    },
  };
}

function reading(type: Imported) {
  return {
    reads: true as const,
    input: ById,
    output: z.object({ value: Shown }),
    errors: [201 as const],
    async run({ process_id }: z.output<typeof ById>, { db, principal }: Call<FleetEnv>) {
      return { value: shown(await requireImport(db, principal, type, process_id)) };
    },
  };
}

function listing(type: Imported) {
  return {
    reads: true as const,
    input: z.object({}),
    output: List,
    errors: [],
    async run(_: object, { db, principal, clock }: Call<FleetEnv>) {
      const page = shownPages(await selectImports(db, principal, [type]));
      return listAnswer({}, page.next ? serializePages(Shown, page, clock) : page);
    },
  };
}

function finishing(type: Imported) {
  return {
    input: ById,
    output: z.object({}),
    errors: [201, 280] as (201 | 280)[],
    async run({ process_id }: z.output<typeof ById>, { db, principal, actor }: Call<FleetEnv>) {
      await finishImport(db, principal, type, process_id, actor);
      return {};
    },
  };
}

function downloading(type: Imported) {
  return {
    reads: true as const,
    reply: ["file" as const],
    input: ById,
    output: z.object({}),
    errors: [201, 204] as (201 | 204)[],
    async run({ process_id }: z.output<typeof ById>, { db, principal }: Call<FleetEnv>) {
      const failed = await selectFailed(db, principal, type, process_id);
      if (!failed) throw new ApiError(204);
      const headers = downloadHeaders(`failed-${type}s-${process_id}.tsv`, TAB_SEPARATED);
      return new Response(streamOf(linesOf(failed)), { headers });
    },
  };
}

type Failed = NonNullable<Awaited<ReturnType<typeof selectFailed>>>;

async function* linesOf({ first, after }: Failed) {
  for (let part = first; part.length > 0; part = await after(part.at(-1)?.line ?? 0)) {
    yield part.map(({ text }) => `${text}\n`).join("");
  }
}

function shown({ type, ...process }: TypedImport) {
  return { ...process, type: TITLES[type] };
}

function shownPages({ items, next }: Page<TypedImport>): Page<z.output<typeof Shown>> {
  return { items: items.map(shown), next: next && (async () => shownPages(await next())) };
}

const TITLES = { employee: "Employee", vehicle: "Vehicle" } as const satisfies Record<
  (typeof IMPORTED)[number],
  string
>;
