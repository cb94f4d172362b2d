import { z } from "zod";
import { operation } from "../../operation.ts";
import { REGISTER_PLUGINS } from "../../tracker/model/models.ts";

export const Plugin = z.object({
  id: z.int(),
  type: z.string(),
  module: z.string(),
  ui_module: z.string(),
  /** The models that the plugin registers. */
  filter: z.object({ exclusion: z.boolean(), values: z.array(z.string()) }),
  parameters: z.object({ activation_code: z.enum(["required", "optional"]) }),
});

export const listPlugins = operation("/plugin/list", {
  summary: "The plugins that register devices, with their models, and whether they need an activation code",
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(Plugin) }),
  errors: [],
  async run() {
    return {
      list: Object.entries(REGISTER_PLUGINS).map(([id, { models, needsCode, module }]) => ({
        id: Number(id),
        type: "tracker_register",
        module,
        ui_module: module,
        filter: { exclusion: false, values: models },
        parameters: { activation_code: needsCode ? ("required" as const) : ("optional" as const) },
      })),
    };
  },
});

export const operations = [listPlugins];
