import * as z from "zod";
import { completeLocations } from "#shared/batch/locations.ts";
import { readRows, SOURCE } from "#shared/batch/source.ts";
import { tagNamesIn } from "#shared/batch/tags.ts";
import { geocoderOf } from "../../geocoder/geocode.ts";
import { operation } from "../../operation.ts";
import { findRowLinks } from "../../zone/require-links.ts";
import { selectFields } from "../custom-field/queries.ts";
import { CheckedPlace, convertRows, findEmployees, isField } from "./rows.ts";

export const batchConvertPlaces = operation("/place/batch_convert", {
  summary: "Reads places from tab-delimited text or a parsed sheet and checks them; stores nothing",
  right: "place_update",
  expensive: true,
  input: z.object({
    ...SOURCE,
    /** Names of columns, or ids of custom fields. */
    fields: z
      .array(z.string().refine(isField, { error: "must name a column, or a custom field by its id" }))
      .max(256)
      .default(["label", "address", "lat", "lng", "radius", "description", "tags"]),
    default_radius: z.int().min(1).max(300_000).default(100),
  }),
  output: z.object({ list: z.array(CheckedPlace), limit_exceeded: z.boolean() }),
  errors: [234],
  async run({ fields, default_radius, geocoder: provider, ...source }, { db, env, principal }) {
    const [{ rows, limit_exceeded }, customFields] = await Promise.all([
      readRows(source, fields.filter(isField), env, principal),
      selectFields(db, principal),
    ]);
    const employees = findEmployees(rows, customFields);
    const [placed, links] = await Promise.all([
      completeLocations(rows, { geocoder: geocoderOf(env), principal, provider }),
      findRowLinks(env, principal, { tag_names: tagNamesIn(rows), employees }),
    ]);
    return { list: convertRows(placed, { ...links, customFields }, default_radius), limit_exceeded };
  },
});

export const operations = [batchConvertPlaces];
