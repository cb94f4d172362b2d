import { expectTypeOf } from "vitest";
import type { Uncrossable } from "#test/tool/point/crossing.ts";
import type FleetService from "./index.ts";

// Checked by `npm run check`; the file is never executed.
expectTypeOf<Uncrossable<FleetService>>().toBeNever();
