import { expectTypeOf } from "vitest";
import type { Uncrossable } from "../../../test/tool/point/crossing.ts";
import type GeoService from "./index.ts";
import type { RetranslationBoard, StateRelay, TrackerFeed } from "./index.ts";

// `npm run check` holds this: nothing is run.
expectTypeOf<Uncrossable<GeoService>>().toBeNever();
expectTypeOf<Uncrossable<TrackerFeed>>().toBeNever();
expectTypeOf<Uncrossable<RetranslationBoard>>().toBeNever();
expectTypeOf<Uncrossable<StateRelay>>().toBeNever();
