import * as z from "zod";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { operation } from "../../operation.ts";
import { putFields, requireEntity } from "../custom-field/queries.ts";
import { CustomField, FieldInput } from "../custom-field/schema.ts";
import { fieldsIn } from "./layout.ts";
import { missingFieldError, putLayout, selectEntity } from "./queries.ts";
import { ChangedEntity, Entity } from "./schema.ts";

export const listEntities = operation("/entity/list", {
  summary: "The entities that have custom fields: only places",
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(Entity) }),
  errors: [],
  async run(_, { db, principal }) {
    const { entity } = await selectEntity(db, principal);
    return { list: [entity] };
  },
});

export const readEntity = operation("/entity/read", {
  summary: "An entity's layout and custom fields, by its id or its type",
  reads: true,
  input: z.object({ id: z.int().optional(), type: z.string().optional() }),
  output: z.object({ entity: Entity, fields: z.array(CustomField) }),
  errors: [201],
  async run({ id, type }, { db, principal }) {
    if ((id === undefined) === (type === undefined)) throw invalid("id", "give exactly one of id and type");
    if (type !== undefined && type !== "place") throw new ApiError(201);
    if (id !== undefined) requireEntity(principal, id);
    return selectEntity(db, principal);
  },
});

export const updateEntity = operation("/entity/update", {
  summary: "Changes the layout of an entity: its sections name every built-in and custom field once",
  right: "places_custom_fields_update",
  input: z.object({ entity: ChangedEntity }),
  output: z.object({}),
  errors: [201],
  async run({ entity }, { db, principal, actor }) {
    requireEntity(principal, entity.id);
    const { sections } = entity.settings.layout;
    const fields = fieldsIn(sections);
    if (!fields) throw missingFieldError();
    await putLayout(db, principal, sections, fields, actor);
    return {};
  },
});

export const readFields = operation("/entity/fields/read", {
  summary: "The custom fields of an entity",
  reads: true,
  input: z.object({ entity_id: z.int() }),
  output: z.object({ list: z.array(CustomField) }),
  errors: [201],
  async run({ entity_id }, { db, principal }) {
    requireEntity(principal, entity_id);
    const { fields } = await selectEntity(db, principal);
    return { list: fields };
  },
});

export const updateEntityFields = operation("/entity/fields/update", {
  summary:
    "Creates and changes custom fields; with delete_missing, fields left out are deleted with their values in all places",
  right: "places_custom_fields_update",
  input: z.object({
    entity_id: z.int(),
    fields: z.array(FieldInput).max(100),
    delete_missing: z.boolean().default(false),
  }),
  output: z.object({ list: z.array(CustomField) }),
  errors: [201],
  async run({ entity_id, fields, delete_missing }, { db, principal, actor }) {
    requireEntity(principal, entity_id);
    const ids = fields.flatMap(({ id }) => id ?? []);
    if (new Set(ids).size < ids.length) throw invalid("fields", "must name each field once");
    return { list: await putFields(db, principal, fields, delete_missing, actor) };
  },
});

export const operations = [listEntities, readEntity, updateEntity, readFields, updateEntityFields];
