import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import type { SearchParams } from "./search-params.ts";

/** The state that a page keeps in its address, so that a link reproduces the page. Changes replace the entry in the history. */
export function useSearchParams(): [SearchParams, (changes: SearchParams) => void] {
  const search: SearchParams = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (changes: SearchParams) =>
      void navigate({ to: ".", search: (last: SearchParams) => ({ ...last, ...changes }), replace: true }),
    [navigate],
  );
  return [search, change];
}
