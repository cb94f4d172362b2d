import { queryOptions } from "@tanstack/react-query";

/** The map styles of other hosts that this installation offers. */
export const mapStylesQuery = queryOptions({
  queryKey: ["map styles"],
  queryFn: async ({ signal }) => {
    const response = await fetch("/console.json", { signal });
    const { map_styles = [] }: { map_styles?: { name: string; url: string }[] } = response.ok
      ? await response.json()
      : {};
    return map_styles;
  },
  staleTime: Number.POSITIVE_INFINITY,
});
