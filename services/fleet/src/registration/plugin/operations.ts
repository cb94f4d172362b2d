import * as z from "zod";
import { REPORT_PLUGINS } from "#shared/contract/report-plugin.ts";
import { operation } from "../../operation.ts";
import { REGISTER_PLUGINS } from "../../tracker/model/models.ts";

export const Plugin = z.object({
  id: z.int(),
  type: z.enum(["tracker_register", "tracker_report"]),
  module: z.string(),
  ui_module: z.string(),
  /** The models that the plugin registers, or that it does not report if `exclusion` is true. */
  filter: z.object({ exclusion: z.boolean(), values: z.array(z.string()) }),
  /** Only of plugins that register devices. */
  parameters: z.object({ activation_code: z.enum(["required", "optional"]) }).optional(),
});
type Plugin = z.output<typeof Plugin>;

export const listPlugins = operation("/plugin/list", {
  summary:
    "The plugins that register devices, with their models and whether they need an activation code, and those that report",
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(Plugin) }),
  errors: [],
  async run() {
    return { list: [...REGISTERING, ...REPORTING] };
  },
});

export const operations = [listPlugins];

const REGISTERING = Object.entries(REGISTER_PLUGINS).map(
  ([id, { models, needsCode, module }]): Plugin => ({
    ...{ id: Number(id), type: "tracker_register", module, ui_module: module },
    filter: { exclusion: false, values: models },
    parameters: { activation_code: needsCode ? "required" : "optional" },
  }),
);
/** Every model can be reported. */
const REPORTING = Object.entries(REPORT_PLUGINS).map(
  ([id, module]): Plugin => ({
    ...{ id: Number(id), type: "tracker_report", module, ui_module: module },
    filter: { exclusion: true, values: [] },
  }),
);
