import { z } from "zod";

export type JsonSchema = Record<string, unknown>;
/** By the names under which an API description refers to them. */
export type Components = Record<string, JsonSchema>;
type Direction = "input" | "output";

/** The JSON Schema of a successful reply, which has no members besides. */
export function jsonReply(output: z.ZodObject): JsonSchema {
  return z.toJSONSchema(replyOf(output), { io: "output", unrepresentable: "any", override: toWireSchema });
}

/** What comes back: the members of the output beside `success`. */
export function replyOf(output: z.ZodObject) {
  return z.object({ success: z.literal(true) }).extend(output.shape);
}

/**
 * Schemas as an API description has them: those with a name stand in `components`, and what a reply may have besides is
 * left open, because members are added to replies while clients made of an earlier description go on.
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
          // What a caller may leave out, a reply always has.
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

/** What schemas say of themselves, and the name of those that have one. */
class Names extends z.core.$ZodRegistry<z.core.GlobalMeta> {
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

/** One name is one thing: who sends what, and who gets it, would else read another's description. */
export function addComponent(components: Components, name: string, schema: JsonSchema) {
  const known = components[name];
  if (known && JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`Two schemas are called ${name}: give one of them another id.`);
  components[name] = schema;
}

/** Whether the query carries it as JSON text, because it is no single value. */
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

/** The bounds of JavaScript's numbers are no limits of ours. */
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

/** How what is marked by `wire` looks outside. */
const WIRE: Record<string, JsonSchema> = {
  "date-time": {
    type: "string",
    description: "In the caller's time zone; ISO 8601 where the call asks for it",
    examples: ["2026-05-02 10:15:00"],
  },
  file: { type: "string", format: "binary" },
};
