import type { NewTariff } from "#shared/contract/tracker/tariff.ts";

/** The maps that at least one of the tariffs allows; all maps without a tariff. */
export function allowedMaps(filters: NewTariff["map_filter"][]): string[] {
  if (filters.length === 0) return MAPS;
  return MAPS.filter((map) => filters.some(({ exclusion, values }) => values.includes(map) !== exclusion));
}

const MAPS = ["roadmap", "satellite", "hybrid", "osm", "osmmapnik", "wikimapia"];
