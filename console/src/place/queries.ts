import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "../../../clients/typescript/src/index.ts";
import type { Parameters, Reply } from "../../../clients/typescript/src/operation-types.ts";
import type { Area } from "../map/drawing/features.ts";
import { call } from "../session/api.ts";

export type Place = Schemas["Place"];
export type CustomField = Reply<"/entity/read">["fields"][number];
export type CheckedPlace = Reply<"/place/batch_convert">["list"][number];
export type NewPlace = Parameters<"/place/create">["place"];

export const PLACE_COLOR = "1C7ED6";
export const PLACE_KEY = ["place"];

export const placesQuery = queryOptions({
  queryKey: [...PLACE_KEY, "list"],
  queryFn: async ({ signal }) => (await call("/place/list", {}, { signal })).list,
});

export function placeQuery(place_id: number) {
  return queryOptions({
    queryKey: [...PLACE_KEY, "read", place_id],
    queryFn: async ({ signal }) => (await call("/place/read", { place_id }, { signal })).value,
  });
}

/** The fields that the account has added to its places. */
export const customFieldsQuery = queryOptions({
  queryKey: ["entity", "place"],
  queryFn: async ({ signal }) => (await call("/entity/read", { type: "place" }, { signal })).fields,
});

/** A place as an area of a map: a circle. */
export function toArea({ id, label, location }: Pick<Place, "id" | "label" | "location">): Area {
  const { lat, lng, radius } = location;
  return { id, label, color: PLACE_COLOR, shape: { type: "circle", radius, rings: [[[lng, lat]]] } };
}
