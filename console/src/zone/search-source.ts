import { IconPolygon } from "@tabler/icons-react";
import { MAX_HITS_PER_SOURCE, type SearchSource } from "../frame/search-sources.ts";
import { call } from "../session/api.ts";

export const zoneSource: SearchSource = {
  id: "zone",
  icon: IconPolygon,
  label: ({ zone }) => zone.title,
  async find(text, signal) {
    const { list } = await call("/zone/list", { filter: text.slice(0, 255), limit: MAX_HITS_PER_SOURCE }, { signal });
    return list.map(({ id, label, address }) => ({
      ...{ id: `zone-${id}`, label, description: address },
      ...{ to: "/zones/$id", params: { id: String(id) } },
    }));
  },
};
