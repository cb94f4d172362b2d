import * as z from "zod";
import { checkCells } from "#shared/batch/cells.ts";
import { completeLocations, type Geocoding } from "#shared/batch/locations.ts";
import { retryOutdated } from "#shared/database/steps.ts";
import { ApiError, type Offence } from "#shared/error/api-error.ts";
import { filePart } from "#shared/operation/fields.ts";
import { redirectTarget } from "#shared/operation/redirect.ts";
import { geocoderOf } from "../../geocoder/geocode.ts";
import { operation } from "../../operation.ts";
import { toMembers } from "../batch/rows.ts";
import { NewPlace } from "../schema.ts";
import { findByExternalIds, parseIds, storePlaces, type Upload } from "./queries.ts";
import { type Line, parseCsv } from "./read-csv.ts";

const DUPLICATE_POLICIES = ["skip", "update", "fail"] as const;
type DuplicatePolicy = (typeof DUPLICATE_POLICIES)[number];

export const uploadPlaces = operation("/place/upload", {
  summary: "Creates places from a CSV file, all or none; existing places with the same external id may be updated",
  right: "place_update",
  reply: ["json", "redirect"],
  expensive: true,
  input: z.object({
    file: filePart().optional(),
    error_policy: z.enum(["ignore", "fail"]).default("fail"),
    duplicate_policy: z.enum(DUPLICATE_POLICIES).default("fail"),
    default_radius: z.int().min(1).max(300_000).default(100),
    geocoder: z.string().optional(),
    redirect_target: redirectTarget(),
  }),
  output: z.object({
    /** Number of rows below the header. */
    total: z.int(),
    /** Number of invalid rows that were left out. */
    errors: z.int(),
  }),
  errors: [233, 234, 247, 268],
  async run(input, { db, env, principal, actor }) {
    const { file, error_policy, duplicate_policy, default_radius, geocoder: provider } = input;
    if (!file) throw new ApiError(233);
    const lines = parseCsv(file.bytes, Number(env.BATCH_ROWS));
    const external_ids = lines.flatMap(({ external_id }) => external_id ?? []);
    const find = () => findByExternalIds(db, principal, external_ids);
    const [read, foundFirst] = await Promise.all([
      parsePlaces(lines, default_radius, { geocoder: geocoderOf(env), principal, provider }),
      find(),
    ]);
    const places = read.flatMap(({ place }) => place ?? []);
    const line = read.findIndex(({ place }) => !place);
    if (error_policy === "fail" && line >= 0) throw new ApiError(234, { line: line + 1, errors: read[line]?.errors });
    const distinct = dropDuplicates(places, duplicate_policy);
    let newest: typeof foundFirst | undefined = foundFirst;
    await retryOutdated(async () => {
      const known = newest ?? (await find());
      newest = undefined;
      const upload = { known, ...splitUpload(distinct, parseIds(known), duplicate_policy) };
      await storePlaces(db, principal, upload, actor);
    });
    return { total: lines.length, errors: lines.length - places.length };
  },
});

export const operations = [uploadPlaces];

type ParsedPlace = { place: NewPlace | undefined; errors: Offence[] };

async function parsePlaces(lines: Line[], default_radius: number, geocoding: Geocoding): Promise<ParsedPlace[]> {
  const placed = await completeLocations(lines, geocoding);
  return placed.map((line) => {
    const errors: Offence[] = [];
    const place = checkCells(NewPlace, toMembers(line, default_radius, errors), errors);
    const placeErrors = errors.map(({ parameter, error }) => ({ parameter: `place.${parameter}`, error }));
    return { place: errors.length > 0 ? undefined : place, errors: placeErrors };
  });
}

/** Keeps one row for each external id: the first, or the last if later rows update earlier ones. */
function dropDuplicates(places: NewPlace[], policy: DuplicatePolicy): NewPlace[] {
  const ordered = policy === "update" ? places.toReversed() : places;
  const knownIds = new Set<string>();
  const unique = ordered.filter(({ external_id }) => {
    if (external_id === null || !knownIds.has(external_id)) {
      if (external_id !== null) knownIds.add(external_id);
      return true;
    }
    if (policy === "fail") throw duplicateError(external_id);
    return false;
  });
  return policy === "update" ? unique.toReversed() : unique;
}

/** Splits places into new ones and updates of existing ones. */
function splitUpload(places: NewPlace[], ids: Map<string, number>, policy: DuplicatePolicy): Omit<Upload, "known"> {
  const [takenId] = ids.keys();
  if (policy === "fail" && takenId !== undefined) throw duplicateError(takenId);
  const idOf = ({ external_id }: NewPlace) => (external_id === null ? undefined : ids.get(external_id));
  const updates = places.flatMap((place) => {
    const id = idOf(place);
    return policy === "update" && id !== undefined ? [{ ...place, id }] : [];
  });
  return { inserts: places.filter((place) => idOf(place) === undefined), updates };
}

function duplicateError(external_id: string) {
  return new ApiError(247, { errors: [{ parameter: "place.external_id", error: `${external_id} is there already` }] });
}
