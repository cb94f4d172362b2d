import type { Schemas } from "../../../../clients/typescript/src/index.ts";

type Sensor = Schemas["Sensor"];
type NewSensor = Schemas["NewSensor"];
export type MeteringSensor = Extract<Sensor, { type: "metering" }>;
type Discrete = Extract<NewSensor, { type: "discrete" }>;
type Virtual = Extract<NewSensor, { type: "virtual" }>;
/** A combined sensor is a measuring one that is computed from others. */
export type SensorKind = "metering" | "combined" | "discrete" | "virtual";
/** A number as a field has it: empty, or a text that is not finished. */
export type NumberText = number | string;
export type ValueTitle = { value: string; title: string };

/** The values of all fields of the form, for all kinds of sensors together: a change of the kind loses none. */
export type SensorDraft = {
  kind: SensorKind;
  name: string;
  meteringType: MeteringSensor["sensor_type"];
  discreteType: Discrete["sensor_type"];
  virtualType: Virtual["sensor_type"];
  inputName: string;
  inputNumber: NumberText;
  divider: NumberText;
  units: string;
  unitsType: string;
  accuracy: NumberText;
  min: NumberText;
  max: NumberText;
  volume: NumberText;
  groupType: "sum" | "avg";
  partIds: string[];
  method: Virtual["parameters"]["calc_method"];
  rangeFrom: NumberText;
  rangeTo: NumberText;
  bitIndex: NumberText;
  titles: ValueTitle[];
};
/** Why a draft cannot be saved, as names of texts. */
export type Fault = "noNumber" | "zero" | "noParts" | "noRange" | "order" | "bit" | "twiceTitled";

/** The attribute of sensors that are computed from others. */
export const COMBINED = "composite";
export const MAX_INPUTS = 8;
const MAX_BITS = 32;
const EMPTY: SensorDraft = {
  ...{ kind: "metering", name: "", meteringType: "custom", discreteType: "ignition", virtualType: "state" },
  ...{ inputName: "", inputNumber: 1, divider: 1, units: "", unitsType: "custom", accuracy: 0 },
  ...{ min: "", max: "", volume: "", groupType: "sum", partIds: [] },
  ...{ method: "in_range", rangeFrom: "", rangeTo: "", bitIndex: 1, titles: [] },
};

export function toDraft(sensor: Sensor | undefined): SensorDraft {
  if (!sensor) return EMPTY;
  const { name } = sensor;
  if (sensor.type === "discrete") {
    return { ...EMPTY, kind: "discrete", name, discreteType: sensor.sensor_type, inputNumber: sensor.input_number };
  }
  if (sensor.type === "virtual") {
    const { calc_method: method, range_from, range_to, bit_index, value_titles: titles } = sensor.parameters;
    const rule = { method, rangeFrom: range_from ?? "", rangeTo: range_to ?? "", bitIndex: bit_index ?? 1, titles };
    return { ...EMPTY, kind: "virtual", name, virtualType: sensor.sensor_type, inputName: sensor.input_name, ...rule };
  }
  const { input_name, divider, units, units_type: unitsType, accuracy, group_type, parameters } = sensor;
  const { min, max, volume, parent_ids = [] } = parameters;
  const isCombined = input_name === COMBINED;
  return {
    ...{ ...EMPTY, kind: isCombined ? "combined" : "metering", name, meteringType: sensor.sensor_type },
    ...{ inputName: isCombined ? "" : input_name, divider, units, unitsType, accuracy },
    ...{ min: min ?? "", max: max ?? "", volume: volume ?? "" },
    ...{ groupType: group_type ?? "sum", partIds: parent_ids.map(String) },
  };
}

/** The sensor as the API takes it; members that the form does not have stay as they are. */
export function toNewSensor(draft: SensorDraft, sensor: Sensor | undefined): NewSensor {
  const { kind, name, inputName: input_name } = draft;
  if (kind === "discrete") {
    return { type: kind, name, sensor_type: draft.discreteType, input_number: numberIn(draft.inputNumber) ?? 0 };
  }
  if (kind === "virtual") {
    const current = sensor?.type === "virtual" ? sensor.parameters : {};
    return {
      type: kind,
      name,
      sensor_type: draft.virtualType,
      input_name,
      parameters: { ...current, ...ruleOf(draft) },
    };
  }
  const current = sensor?.type === "metering" ? sensor : { parameters: {} };
  const limits = { min: numberIn(draft.min), max: numberIn(draft.max), volume: numberIn(draft.volume) };
  const common = { ...current, name, sensor_type: draft.meteringType, units: draft.units, units_type: draft.unitsType };
  const measured = { ...common, type: "metering" as const, accuracy: numberIn(draft.accuracy) ?? 0 };
  if (kind === "metering") {
    const parameters = { ...current.parameters, ...limits };
    return { ...measured, input_name, divider: numberIn(draft.divider) ?? 1, parameters };
  }
  const parameters = { ...current.parameters, ...limits, parent_ids: draft.partIds.map(Number) };
  return { ...measured, input_name: COMBINED, group_type: draft.groupType, parameters };
}

/** The rule of a calculated sensor with the titles of its values; values without a title are left out. */
export function ruleOf({ method, rangeFrom, rangeTo, bitIndex, titles }: SensorDraft): Virtual["parameters"] {
  return {
    calc_method: method,
    range_from: method === "in_range" ? numberIn(rangeFrom) : null,
    range_to: method === "in_range" ? numberIn(rangeTo) : null,
    bit_index: method === "bit_index" ? numberIn(bitIndex) : null,
    value_titles: titlesOf(titles, method),
  };
}

/** The faults of a draft by the names of the API's members; the API checks the rest. */
export function faultsOf(draft: SensorDraft): Record<string, Fault> {
  const faults: Record<string, Fault> = {};
  const requireNumber = (name: string, text: NumberText) => {
    if (Number.isNaN(numberIn(text))) faults[name] = "noNumber";
  };
  const requireOrder = (from: NumberText, to: NumberText, name: string) => {
    const [low, high] = [numberIn(from), numberIn(to)];
    if (low !== null && high !== null && low > high) faults[name] = "order";
  };
  if (draft.kind === "metering") {
    requireNumber("divider", draft.divider);
    if (numberIn(draft.divider) === 0) faults.divider = "zero";
  }
  if (draft.kind === "combined" && draft.partIds.length === 0) faults["parameters.parent_ids"] = "noParts";
  if (draft.kind === "metering" || draft.kind === "combined") {
    for (const name of ["min", "max", "volume"] as const) requireNumber(`parameters.${name}`, draft[name]);
    requireOrder(draft.min, draft.max, "parameters.max");
  }
  if (draft.kind === "virtual") addRuleFaults();
  return faults;

  function addRuleFaults() {
    const { method, rangeFrom, rangeTo, bitIndex, titles } = draft;
    if (method === "in_range") {
      requireOrder(rangeFrom, rangeTo, "parameters.range_to");
      requireNumber("parameters.range_from", rangeFrom);
      requireNumber("parameters.range_to", rangeTo);
      if (numberIn(rangeFrom) === null && numberIn(rangeTo) === null) faults["parameters.range_from"] = "noRange";
    }
    const bit = numberIn(bitIndex);
    if (method === "bit_index" && !(bit !== null && bit >= 1 && bit <= MAX_BITS))
      faults["parameters.bit_index"] = "bit";
    const values = titlesOf(titles, method).map(({ value }) => value);
    if (new Set(values).size < values.length) faults["parameters.value_titles"] = "twiceTitled";
  }
}

/** Faults in the words of the user's language. */
export function toErrors(faults: Record<string, Fault>, words: Record<Fault, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(faults).map(([name, fault]) => [name, words[fault]]));
}

/** The number of a field; null for an empty one, NaN for a text that is none. */
export function numberIn(text: NumberText): number | null {
  if (typeof text === "number") return text;
  return text.trim() === "" ? null : Number(text);
}

/** The titles of the values that the method can make. */
export function titlesOf(titles: readonly ValueTitle[], method: SensorDraft["method"]): ValueTitle[] {
  return titles
    .map(({ value, title }) => ({ value: value.trim(), title: title.trim() }))
    .filter(({ value, title }) => value && title && (method === "identity" || value === "0" || value === "1"));
}
