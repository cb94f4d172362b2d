import * as z from "zod";
import { completeLocations } from "#shared/batch/locations.ts";
import { readRows, SOURCE } from "#shared/batch/source.ts";
import { tagNamesIn } from "#shared/batch/tags.ts";
import { geocoderOf } from "../../geocoder/geocode.ts";
import { operation } from "../../operation.ts";
import { findRowLinks } from "../require-links.ts";
import { CheckedZone, convertRows, FIELDS } from "./rows.ts";

export const batchConvertZones = operation("/zone/batch_convert", {
  summary: "Reads circles from tab-delimited text or a parsed sheet and checks them; stores nothing",
  right: "zone_update",
  expensive: true,
  input: z.object({
    ...SOURCE,
    fields: z.array(z.enum(FIELDS)).max(256).default(["label", "address", "lat", "lng", "radius", "tags"]),
    default_radius: z.int().min(1).max(300_000).default(100),
  }),
  output: z.object({ list: z.array(CheckedZone), limit_exceeded: z.boolean() }),
  errors: [234],
  async run({ fields, default_radius, geocoder: provider, ...source }, { env, principal }) {
    const { rows, limit_exceeded } = await readRows(source, fields, env, principal);
    const [placed, { tags }] = await Promise.all([
      completeLocations(rows, { geocoder: geocoderOf(env), principal, provider }),
      findRowLinks(env, principal, { tag_names: tagNamesIn(rows), employees: [] }),
    ]);
    return { list: convertRows(placed, tags, default_radius), limit_exceeded };
  },
});

export const operations = [batchConvertZones];
