import { expectTypeOf } from "vitest";
import type { Uncrossable } from "#test/tool/point/crossing.ts";
import type ReportsService from "./index.ts";

// `npm run check` checks these types; the file is never run.
expectTypeOf<Uncrossable<ReportsService>>().toBeNever();
