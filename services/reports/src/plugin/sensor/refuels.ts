import { z } from "zod";
import { SECONDS, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { fuelPart } from "./fuel-part.ts";

export const refuels = plugin({
  id: 95,
  title: ["Fuel volume 2.0", "Kraftstoffstand 2.0"],
  parameters: z.object({ ...SECONDS, ...TABS }),
  partOf: (data, _, writer) => fuelPart(data, WISHES, writer),
});

const WISHES = {
  filters: { surge: null, speed: null },
  ...{ showsDrains: false, showsDays: true, byIgnition: false, plots: null },
};
