import { IconMapPin } from "@tabler/icons-react";
import { MAX_HITS_PER_SOURCE, type SearchSource } from "../frame/search-sources.ts";
import { call } from "../session/api.ts";

export const placeSource: SearchSource = {
  id: "place",
  icon: IconMapPin,
  label: ({ place }) => place.title,
  async find(text, signal) {
    const { list } = await call("/place/list", { filter: text.slice(0, 760), limit: MAX_HITS_PER_SOURCE }, { signal });
    return list.map(({ id, label, location }) => ({
      ...{ id: `place-${id}`, label, description: location.address },
      ...{ to: "/places/$id", params: { id: String(id) } },
    }));
  },
};
