import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight } from "@mantine/spotlight";
import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useUser } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { allowedEntries, type NavigationEntry } from "./navigation.ts";
import type { SearchSource } from "./search-sources.ts";
import "@mantine/spotlight/styles.layer.css";

type SearchProps = { navigation: NavigationEntry[]; sources: SearchSource[] };

const TYPING_PAUSE_MS = 200;
const MIN_CHARS = 2;

/** Finds pages and objects everywhere. The frame opens it, by a button or by Ctrl+K or ⌘K. */
export function Search({ navigation, sources }: SearchProps) {
  const texts = useTexts();
  const { frame } = texts;
  const user = useUser();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [query] = useDebouncedValue(text.trim(), TYPING_PAUSE_MS);
  const client = useQueryClient();
  const allowed = sources.filter(({ isAllowed }) => isAllowed?.(user) ?? true);
  const found = useQueries({
    queries: allowed.map(({ id, find }) => ({
      queryKey: ["search", id, query],
      queryFn: ({ signal }: { signal: AbortSignal }) => find(query, signal, client),
      enabled: query.length >= MIN_CHARS,
      staleTime: 30_000,
    })),
  });
  const pages = allowedEntries(navigation, user)
    .map(({ to, icon, label }) => ({ to, Icon: icon, label: label(texts) }))
    .filter(({ label }) => label.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase()));
  const groups = allowed.map((source, index) => ({ source, hits: found[index]?.data ?? [] }));
  const isEmpty = pages.length === 0 && groups.every(({ hits }) => hits.length === 0);
  return (
    <Spotlight.Root shortcut={null} query={text} onQueryChange={setText} maxHeight={480} scrollable>
      <Spotlight.Search placeholder={frame.searchPlaceholder} aria-label={frame.search} />
      <Spotlight.ActionsList>
        {pages.length > 0 && (
          <Spotlight.ActionsGroup label={frame.pages}>
            {pages.map(({ to, Icon, label }) => (
              <Spotlight.Action
                key={to}
                label={label}
                leftSection={<Icon size={18} aria-hidden />}
                onClick={() => void navigate({ to })}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {groups
          .filter(({ hits }) => hits.length > 0)
          .map(({ source: { id, icon: Icon, label }, hits }) => (
            <Spotlight.ActionsGroup key={id} label={label(texts)}>
              {hits.map((hit) => (
                <Spotlight.Action
                  key={hit.id}
                  label={hit.label}
                  description={hit.description ?? ""}
                  leftSection={<Icon size={18} aria-hidden />}
                  onClick={() => void navigate({ to: hit.to, params: hit.params ?? {} })}
                />
              ))}
            </Spotlight.ActionsGroup>
          ))}
        {isEmpty && (
          <Spotlight.Empty>
            {query.length < MIN_CHARS ? frame.searchHint : frame.nothingFound(text.trim())}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
