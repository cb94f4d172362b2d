import * as z from "zod";
// By `z.core` a bundle would contain all of zod.
import { $ZodRegistry } from "zod/v4/core";

export type JsonSchema = Record<string, unknown>;
/** Named schemas of the API description. */
export type Components = Record<string, JsonSchema>;
type Direction = "input" | "output";

/** The closed JSON Schema of a successful reply. */
export function jsonReply(output: z.ZodObject): JsonSchema {
  return z.toJSONSchema(replyOf(output), { io: "output", unrepresentable: "any", override: toWireSchema });
}

/** The output's members and `success`. */
export function replyOf(output: z.ZodObject) {
  return z.object({ success: z.literal(true) }).extend(output.shape);
}

/**
 * Converts schemas for the API description: named ones go to `components`. Replies stay open, since members are added
 * to them while old clients go on.
 */
export function describeSchemas(named: Record<string, z.ZodType>) {
  const components: Components = {};
  const metadata = new Names(named);

  return {
    components,
    of(schema: z.ZodType, io: Direction): JsonSchema {
      const { $schema, $defs, ...described } = z.toJSONSchema(schema, {
        io,
        metadata,
        unrepresentable: "any",
        override(context) {
          toWireSchema(context);
          omitDefaults(context);
          // Members with a default are always present in replies.
          if (io === "output") delete context.jsonSchema.default;
        },
      });
      for (const [name, component] of Object.entries($defs ?? {}))
        addComponent(components, name, referenceComponents(component));
      return referenceComponents(described);
    },
  };
}
export type DescribedSchemas = ReturnType<typeof describeSchemas>;

/** Metadata of schemas, and their names. */
class Names extends $ZodRegistry<z.core.GlobalMeta> {
  readonly #names: Map<z.core.$ZodType, string>;

  constructor(named: Record<string, z.ZodType>) {
    super();
    this.#names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]));
  }

  override get<Schema extends z.core.$ZodType>(schema: Schema) {
    const id = this.#names.get(schema);
    const own = z.globalRegistry.get(schema);
    return id ? { ...own, id } : own;
  }
}

/** Adds a named schema; throws when the name has another schema already. */
export function addComponent(components: Components, name: string, schema: JsonSchema) {
  const known = components[name];
  if (known && JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`Two schemas are called ${name}: give one of them another id.`);
  components[name] = schema;
}

/** Whether a query carries the parameter as JSON text because it is not a single value. */
export function isJsonText(schema: JsonSchema, components: Components): boolean {
  const { type, anyOf, oneOf, $ref } = schema;
  if (typeof $ref === "string") return isJsonText(components[$ref.slice(COMPONENTS.length)] ?? {}, components);
  const options = [anyOf, oneOf].filter(Array.isArray).flat();
  return type === "object" || type === "array" || options.some((option) => isJsonText(option, components));
}

export function isFile(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodOptional) return isFile(schema.unwrap());
  return z.globalRegistry.get(schema)?.wire === "file";
}

type WireSchema = { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema };

function toWireSchema({ zodSchema, jsonSchema }: WireSchema) {
  const shown = WIRE[String(z.globalRegistry.get(zodSchema)?.wire)];
  if (!shown) return;
  for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
  Object.assign(jsonSchema, shown);
}

/** The bounds of JavaScript numbers are no limits of the API. */
function omitDefaults({ zodSchema, jsonSchema }: WireSchema) {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  const isOpen = zodSchema instanceof z.ZodObject && !zodSchema.def.catchall;
  if (isOpen) delete jsonSchema.additionalProperties;
}

function referenceComponents(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', `"$ref":"${COMPONENTS}`));
}

const COMPONENTS = "#/components/schemas/";

/** The external form of schemas marked by `wire`. */
const WIRE: Record<string, JsonSchema> = {
  "date-time": {
    type: "string",
    description: "In the caller's time zone; ISO 8601 if the call asks for it",
    examples: ["2026-05-02 10:15:00"],
  },
  file: { type: "string", format: "binary" },
};
