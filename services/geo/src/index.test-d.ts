import { expectTypeOf } from "vitest";
import type { Uncrossable } from "../../../test/tool/point/crossing.ts";
import type GeoService from "./index.ts";
import type { RetranslationBoard, StateRelay, TrackerFeed } from "./index.ts";

// Checked by `npm run check`; nothing runs.
expectTypeOf<Uncrossable<GeoService>>().toBeNever();
expectTypeOf<Uncrossable<TrackerFeed>>().toBeNever();
expectTypeOf<Uncrossable<RetranslationBoard>>().toBeNever();
expectTypeOf<Uncrossable<StateRelay>>().toBeNever();
