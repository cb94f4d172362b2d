/** A part of a JSON Schema, as `tracker/rule/type/list` describes parameters. */
export type JsonSchema = {
  type?: string | string[];
  default?: unknown;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
};

/** Things of the account that a parameter names by their ids. */
export type Reference = "sensor" | "virtualSensor" | "tracker" | "workStatus";

/** A parameter of a rule, as its form shows it. */
export type Parameter = { name: string; isRequired: boolean; byDefault: unknown } & (
  | { kind: "flag" }
  | { kind: "number"; isInteger: boolean; min: number | undefined; max: number | undefined }
  | { kind: "text" }
  | { kind: "choice"; options: string[] }
  | { kind: "choices"; options: string[] }
  | { kind: "reference"; to: Reference }
  | { kind: "references"; to: Reference }
  /** Parameters inside of another one. */
  | { kind: "group"; members: Parameter[] }
  /** Parameters that every tracker has for itself. */
  | { kind: "perTracker"; members: Parameter[] }
);

/** The parameters that are ids: a schema only says that they are numbers. */
const REFERENCES: Record<string, Reference> = {
  sensor_id: "sensor",
  virtual_sensor_id: "virtualSensor",
  tracker_id: "tracker",
  observed_trackers: "tracker",
  status_ids: "workStatus",
};
const PER_TRACKER = "tracker_params";
/** Only the trackers of the rule have such rows. */
const ROW_ID = "tracker_id";

/**
 * The parameters of an object's schema. Where a rule may have values for each tracker, those that hold for all of them
 * are left out, unless it is `isForAll`.
 */
export function toParameters(schema: JsonSchema, isForAll = false): Parameter[] {
  const { properties = {}, required = [] } = schema;
  const rows = properties[PER_TRACKER] && plainOf(properties[PER_TRACKER]).items?.properties;
  return Object.entries(properties)
    .filter(([name]) => (isForAll ? name !== PER_TRACKER : !rows || !(name in rows)))
    .map(([name, member]) => toParameter(name, member, required.includes(name)));
}

function toParameter(name: string, member: JsonSchema, isRequired: boolean): Parameter {
  const common = { name, isRequired, byDefault: member.default };
  const { type, enum: options, items, minimum, maximum, properties } = plainOf(member);
  const reference = REFERENCES[name];
  if (name === PER_TRACKER)
    return { ...common, kind: "perTracker", members: toParameters(items ?? {}).filter((one) => one.name !== ROW_ID) };
  if (type === "boolean") return { ...common, kind: "flag" };
  if (type === "array" && items?.enum) return { ...common, kind: "choices", options: items.enum };
  if (type === "array" && reference) return { ...common, kind: "references", to: reference };
  if (properties) return { ...common, kind: "group", members: toParameters({ properties }) };
  if (options) return { ...common, kind: "choice", options };
  if (reference) return { ...common, kind: "reference", to: reference };
  if (type === "integer" || type === "number") {
    const max = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
    return { ...common, kind: "number", isInteger: type === "integer", min: minimum, max };
  }
  return { ...common, kind: "text" };
}

/** The schema without its null: a value that is left out means the same. */
function plainOf(schema: JsonSchema): JsonSchema {
  if (schema.anyOf) {
    const others = schema.anyOf.filter(({ type }) => type !== "null");
    return others.length === 1 ? plainOf(others[0] ?? {}) : {};
  }
  if (!Array.isArray(schema.type)) return schema;
  const [type = "string"] = schema.type.filter((name) => name !== "null");
  return { ...schema, type };
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
