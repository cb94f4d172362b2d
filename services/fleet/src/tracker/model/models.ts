/** The form of a model's device id: an IMEI, `ascii,min,max` characters, or `digits,prefix` assigned by the server. */
type IdType = "imei" | `ascii,${number},${number}` | `${number},${number}`;

export type Model = (typeof MODELS)[number];

// Declared first, because `MODELS` is built from it when the module is loaded.
const DEFAULTS = {
  rules: [] as string[],
  inputs: [] as string[],
  state_fields: [] as string[],
  digital_inputs: 0,
  digital_outputs: 0,
  analog_inputs: 0,
  battery: null as { min_charge: number; low_charge: number; max_charge: number } | null,
  has_phone: false,
  has_apn_settings: false,
  has_odometer: false,
  has_lbs: false,
  has_motion_sensor: false,
  has_hardware_key: false,
  has_fuel_input: false,
  has_custom_fields: false,
  has_location_request: false,
};

/** The models of devices that can be registered. */
export const MODELS = [
  model("generic_gps", "Generic GPS tracker", "vehicle", "imei", {
    digital_inputs: 8,
    has_phone: true,
    has_apn_settings: true,
  }),
  model("generic_http", "Generic HTTP sender", "vehicle", "ascii,2,64", { digital_inputs: 8 }),
  model("mobile_app", "Mobile app", "personal", "10,3", { has_lbs: true }),
];

/** The plugins that register devices, by id, with the models that each registers. */
export const REGISTER_PLUGINS: Record<number, { models: string[]; needsCode: boolean; module: string }> = {
  44: { models: ["generic_gps", "generic_http"], needsCode: false, module: "device_registration" },
  37: { models: ["generic_gps", "generic_http"], needsCode: true, module: "device_registration" },
  35: { models: ["mobile_app"], needsCode: false, module: "mobile_registration" },
  68: { models: ["mobile_app"], needsCode: true, module: "mobile_registration" },
};

/** The model of the devices that dealers sell. */
export const SOLD_MODEL = "generic_gps";
/** The equipment that dealers import as bundles: devices identified by an IMEI. */
export const EQUIPMENT = [{ id: 1, model: SOLD_MODEL }];

export function findModel(code: string): Model | undefined {
  return MODELS.find((one) => one.code === code);
}

/** True when the server generates the device's id. */
export function assignsId({ id_type }: Model) {
  return /^\d+,\d+$/.test(id_type);
}

/** A random id of `digits` digits that begins with `prefix`, for a model whose type is `digits,prefix`. */
export function generateDeviceId({ id_type }: Model): string {
  const [digits = "10", start = "1"] = id_type.split(",");
  const random = crypto.getRandomValues(new Uint8Array(Number(digits)));
  const rest = Array.from(random, (byte) => byte % 10).join("");
  return (start + rest).slice(0, Number(digits));
}

/** The error in a device id for this model; undefined when the id is valid. */
export function findIdError({ id_type }: Model, device_id: string | undefined): string | undefined {
  if (device_id === undefined || device_id === "") return "is required for this model";
  if (id_type === "imei") return /^\d{15}$/.test(device_id) ? undefined : "must be 15 digits";
  const [min = "1", max = "64"] = id_type.split(",").slice(1);
  const pattern = new RegExp(`^[A-Za-z0-9-]{${min},${max}}$`);
  return pattern.test(device_id) ? undefined : `must be ${min} to ${max} letters, digits and hyphens`;
}

function model(
  code: string,
  name: string,
  type: "logger" | "portable" | "vehicle" | "personal",
  id_type: IdType,
  has: Partial<typeof DEFAULTS>,
) {
  return { code, name, vendor: "", type, id_type, register: true, ...DEFAULTS, ...has };
}
