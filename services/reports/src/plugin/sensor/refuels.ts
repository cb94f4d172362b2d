import * as z from "zod";
import { SECONDS, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { createFuelReport } from "./fuel-report.ts";

export const refuels = plugin({
  id: 95,
  title: ["Fuel volume 2.0", "Kraftstoffstand 2.0"],
  parameters: z.object({ ...SECONDS, ...TABS }),
  reportTracker: (data, _, writer) => createFuelReport(data, OPTIONS, writer),
});

const OPTIONS = {
  filters: { surge: null, speed: null },
  ...{ showsDrains: false, showsDays: true, byIgnition: false, plots: null },
};
