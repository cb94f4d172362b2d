import { deliverLater } from "#shared/background/deliver-later.ts";
import type { FleetEnv } from "../env.ts";
import { deliverOutboxesLater } from "../outbox/deliver-later.ts";
import { sweepImports } from "./sweep.ts";

/** Continues imports behind an answer. What is not done when the Worker ends is left to the sweep. */
export const sweepImportsLater = deliverLater<FleetEnv>((env) =>
  sweepImports(env).finally(() => deliverOutboxesLater(env)),
);
