import * as z from "zod";
import { ApiError } from "#shared/error/api-error.ts";
import { filePart } from "#shared/operation/fields.ts";
import { operation } from "../operation.ts";
import { parseSheet } from "./parse.ts";
import { storeSheet } from "./stored-sheet.ts";

export const parseSpreadsheet = operation("/data/spreadsheet/parse", {
  summary: "Reads a spreadsheet (.xlsx, .xls, .csv) and stores its rows for some days, for batch_convert and imports",
  expensive: true,
  writesElsewhere: true,
  input: z.object({
    file: filePart().optional(),
    preview_count: z.int().min(1).max(20).default(20),
    parse_header: z.boolean().default(false),
    header_map: z.record(z.string(), z.string()).default({}),
  }),
  output: z.object({
    file_id: z.string(),
    header: z.array(z.string()).optional(),
    preview: z.array(z.array(z.string())),
  }),
  errors: [233, 234],
  async run({ file, preview_count, parse_header, header_map }, { env, principal, request }) {
    // A JSON body cannot contain a file: 5. A form without one gets 233.
    if (!file) throw new ApiError(Object.keys(request.typed).length > 0 ? 5 : 233);
    // One row for the header, and one above the limit of readers, which tells them that there are more.
    const rows = parseSheet(file, Number(env.BATCH_ROWS) + 2);
    const titles = parse_header ? rows.shift() : undefined;
    const header = titles?.map((title) => (Object.hasOwn(header_map, title) ? (header_map[title] ?? title) : title));
    const file_id = await storeSheet(env, principal, rows);
    return { file_id, header, preview: rows.slice(0, preview_count) };
  },
});

export const operations = [parseSpreadsheet];
