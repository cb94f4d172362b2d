import type { NewTariff } from "#shared/contract/tariff.ts";

/** The maps that any of the tariffs allows; without a tariff, all. */
export function allowedMaps(filters: NewTariff["map_filter"][]): string[] {
  if (filters.length === 0) return MAPS;
  return MAPS.filter((map) => filters.some(({ exclusion, values }) => values.includes(map) !== exclusion));
}

const MAPS = ["roadmap", "satellite", "hybrid", "osm", "osmmapnik", "wikimapia"];
