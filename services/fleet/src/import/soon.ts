import { deliverLater } from "#shared/background/deliver-later.ts";
import type { FleetEnv } from "../env.ts";
import { tellSoon } from "../outbox/tell-soon.ts";
import { sweepImports } from "./run.ts";

/** What takes longer than a Worker lives behind its answer is left to the sweep. */
export const importSoon = deliverLater<FleetEnv>((env) => sweepImports(env).finally(() => tellSoon(env)));
