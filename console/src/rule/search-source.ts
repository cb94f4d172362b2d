import { IconBellCog } from "@tabler/icons-react";
import { findByName, LIST_FRESH_MS, type SearchSource } from "../frame/search-sources.ts";
import { rulesQuery } from "./queries.ts";

export const ruleSource: SearchSource = {
  id: "rule",
  icon: IconBellCog,
  label: ({ rule }) => rule.title,
  async find(text, _signal, queries) {
    const rules = await queries.fetchQuery({ ...rulesQuery, staleTime: LIST_FRESH_MS });
    return findByName(rules, text).map(({ id, name, description }) => ({
      ...{ id: `rule-${id}`, label: name, description },
      ...{ to: "/rules/$id", params: { id: String(id) } },
    }));
  },
};
