import { expectTypeOf } from "vitest";
import type { Uncrossable } from "#test/tool/point/crossing.ts";
import type FilesService from "./index.ts";

// `npm run check` holds this: nothing is run.
expectTypeOf<Uncrossable<FilesService>>().toBeNever();
