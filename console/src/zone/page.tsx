import { Loader, SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { LOADED_ONCE } from "../component/loaded-once.ts";
import { Refusal } from "../component/refusal.tsx";
import { useSearchParams } from "../component/use-search-params.ts";
import type { ShapeType } from "../map/drawing/shape.ts";
import { tagsQuery } from "../tag/queries.ts";
import { useTexts } from "../text/use-texts.tsx";
import { ZoneEditor } from "./editor.tsx";
import { zoneQuery } from "./queries.ts";

const TYPES: ShapeType[] = ["circle", "polygon", "sausage"];

/** Draws a new zone, whose kind stands in the address: it cannot change later. */
export function NewZonePage() {
  const { zone: words, frame } = useTexts();
  const [search, change] = useSearchParams();
  const tags = useQuery(tagsQuery);
  const type = TYPES.find((one) => one === search.type) ?? "polygon";
  if (tags.error && !tags.data) return <Refusal error={tags.error} onRetry={() => void tags.refetch()} />;
  if (!tags.data) return <Loader aria-label={frame.loading} />;
  return (
    <ZoneEditor key={type} zone={undefined} type={type} tags={tags.data}>
      <SegmentedControl
        fullWidth
        aria-label={words.columns.type}
        value={type}
        data={TYPES.map((value) => ({ value, label: words.types[value] }))}
        onChange={(value) => change({ type: value })}
      />
    </ZoneEditor>
  );
}

/** Changes a zone. */
export function ZonePage() {
  const { frame } = useTexts();
  const { id = "" } = useParams({ strict: false });
  const zone = useQuery({ ...zoneQuery(Number(id)), ...LOADED_ONCE });
  const tags = useQuery(tagsQuery);
  const error = zone.error ?? tags.error;
  if (error && !(zone.data && tags.data))
    return <Refusal error={error} onRetry={() => void Promise.all([zone.refetch(), tags.refetch()])} />;
  if (!zone.data || !tags.data) return <Loader aria-label={frame.loading} />;
  return <ZoneEditor key={id} zone={zone.data} type={zone.data.type} tags={tags.data} />;
}
