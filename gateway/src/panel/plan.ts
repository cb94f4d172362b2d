import { z } from "zod";
import { NewPlan } from "#shared/plan.ts";
import { operation } from "../operation.ts";

export const createPlan = operation("/panel/tariff/create", {
  summary: "Creates a plan",
  accepts: ["operator"],
  permission: ["tariffs", "create"],
  input: z.object({ tariff: NewPlan }),
  output: z.object({ id: z.int() }),
  errors: [13, 244],
  async run({ tariff }, { env, principal }) {
    return { id: await env.FLEET.createPlan(principal, tariff) };
  },
});

export const updatePlan = operation("/panel/tariff/update", {
  summary: "Changes a plan; members left out stay",
  accepts: ["operator"],
  permission: ["tariffs", "update"],
  input: z.object({ tariff: NewPlan.omit({ device_type: true }).partial().extend({ id: z.int() }) }),
  output: z.object({}),
  errors: [13, 201, 244],
  async run({ tariff: { id, ...changes } }, { env, principal }) {
    await env.FLEET.updatePlan(principal, id, changes);
    return {};
  },
});
