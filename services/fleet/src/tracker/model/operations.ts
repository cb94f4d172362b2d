import * as z from "zod";
import { operation } from "../../operation.ts";
import { MODELS } from "./models.ts";

const Battery = z.object({ min_charge: z.number(), low_charge: z.number(), max_charge: z.number() });
export const Model = z.object({
  code: z.string(),
  name: z.string(),
  vendor: z.string(),
  type: z.enum(["logger", "portable", "vehicle", "personal"]),
  id_type: z.string(),
  register: z.boolean(),
  rules: z.array(z.string()),
  inputs: z.array(z.string()),
  state_fields: z.array(z.string()),
  digital_inputs: z.int(),
  digital_outputs: z.int(),
  analog_inputs: z.int(),
  battery: Battery.nullable(),
  has_phone: z.boolean(),
  has_apn_settings: z.boolean(),
  has_odometer: z.boolean(),
  has_lbs: z.boolean(),
  has_motion_sensor: z.boolean(),
  has_hardware_key: z.boolean(),
  has_fuel_input: z.boolean(),
  has_custom_fields: z.boolean(),
  has_location_request: z.boolean(),
});

export const listModels = operation("/tracker/list_models", {
  summary: "The models of devices, all or those with the codes given",
  reads: true,
  input: z.object({ codes: z.array(z.string()).max(1000).optional() }),
  output: z.object({ list: z.array(Model) }),
  errors: [],
  async run({ codes }) {
    return { list: codes === undefined ? MODELS : MODELS.filter(({ code }) => codes.includes(code)) };
  },
});

export const operations = [listModels];
