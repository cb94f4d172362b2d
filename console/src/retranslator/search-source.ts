import { IconTransferOut } from "@tabler/icons-react";
import { findByName, LIST_FRESH_MS, type SearchSource } from "../frame/search-sources.ts";
import { retranslatorsQuery } from "./queries.ts";

export const retranslatorSource: SearchSource = {
  id: "retranslator",
  icon: IconTransferOut,
  label: ({ retranslator }) => retranslator.title,
  isAllowed: ({ isMaster }) => isMaster,
  async find(text, _signal, queries) {
    const retranslators = await queries.fetchQuery({ ...retranslatorsQuery, staleTime: LIST_FRESH_MS });
    return findByName(retranslators, text).map(({ id, name, address, port }) => ({
      ...{ id: `retranslator-${id}`, label: name, description: `${address}:${port}` },
      ...{ to: "/retranslators/$id", params: { id: String(id) } },
    }));
  },
};
