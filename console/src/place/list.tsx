import { Button, Loader } from "@mantine/core";
import { IconMapPin, IconPlus, IconUpload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { EmptyState } from "../component/empty-state.tsx";
import { PageHeader } from "../component/page-header.tsx";
import { Refusal } from "../component/refusal.tsx";
import type { Column, Filter } from "../component/table/columns.ts";
import type { Format } from "../format/format.ts";
import { AreaList } from "../map/drawing/area-list.tsx";
import { useFormat, useUser } from "../session/user.tsx";
import { namesOfTags, type Tag, tagsQuery } from "../tag/queries.ts";
import type { Texts } from "../text/texts.ts";
import { useTexts } from "../text/use-texts.tsx";
import { type Place, placesQuery, toArea } from "./queries.ts";

type PlaceRow = { id: number; place: Place; tags: string[] };

/** The places as a list and on a map. */
export function PlaceListPage() {
  const texts = useTexts();
  const { place: words, frame } = texts;
  const format = useFormat();
  const mayEdit = useUser().can("place_update");
  const places = useQuery(placesQuery);
  const tags = useQuery(tagsQuery);
  const rows = useMemo(() => toRows(places.data ?? [], tags.data ?? []), [places.data, tags.data]);
  const columns = useMemo(() => columnsOf(texts, format), [texts, format]);
  const filters = useMemo(() => filtersOf(texts, tags.data ?? []), [texts, tags.data]);
  return (
    <>
      <PageHeader title={words.title} subtitle={words.subtitle} actions={mayEdit && <Actions />} />
      {places.error && !places.data ? (
        <Refusal error={places.error} onRetry={() => void places.refetch()} />
      ) : !places.data ? (
        <Loader aria-label={frame.loading} />
      ) : rows.length === 0 ? (
        <EmptyState
          icon={IconMapPin}
          title={words.empty.title}
          text={words.empty.text}
          action={
            mayEdit && (
              <Button component={Link} to="/places/new">
                {words.empty.action}
              </Button>
            )
          }
        />
      ) : (
        <AreaList
          {...{ label: words.title, mapLabel: words.mapLabel, rows, columns, filters }}
          areaOf={areaOfRow}
          linkOf={({ id }) => ({ to: "/places/$id", params: { id: String(id) } })}
        />
      )}
    </>
  );
}

function Actions() {
  const { place: words } = useTexts();
  return (
    <>
      <Button component={Link} to="/places/import" variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
        {words.import}
      </Button>
      <Button component={Link} to="/places/new" leftSection={<IconPlus size={16} aria-hidden />}>
        {words.new}
      </Button>
    </>
  );
}

function toRows(places: Place[], tags: Tag[]): PlaceRow[] {
  return places.map((place) => ({ id: place.id, place, tags: namesOfTags(place.tags, tags) }));
}

function areaOfRow({ place }: PlaceRow) {
  return toArea(place);
}

function columnsOf({ place: words }: Texts, format: Format): Column<PlaceRow>[] {
  const { columns: labels } = words;
  return [
    {
      id: "label",
      label: labels.label,
      value: ({ place }) => place.label,
      render: ({ place }) => <bdi>{place.label}</bdi>,
      width: "minmax(10rem, 1.5fr)",
    },
    {
      id: "address",
      label: labels.address,
      value: ({ place }) => place.location.address,
      width: "minmax(9rem, 1.5fr)",
    },
    { id: "tags", label: labels.tags, value: ({ tags }) => tags.join(", "), width: "minmax(6rem, 1fr)" },
    {
      id: "radius",
      label: labels.radius,
      value: ({ place }) => place.location.radius,
      render: ({ place }) => format.distance(place.location.radius / 1000),
      align: "end",
      isHidden: true,
    },
    { id: "externalId", label: labels.externalId, value: ({ place }) => place.external_id, isHidden: true },
    { id: "description", label: labels.description, value: ({ place }) => place.description, isHidden: true },
  ];
}

function filtersOf({ place: words }: Texts, tags: Tag[]): Filter<PlaceRow>[] {
  const options = tags.map(({ id, name }) => ({ value: String(id), label: name }));
  return [{ id: "tag", label: words.columns.tags, options, value: ({ place }) => (place.tags ?? []).map(String) }];
}
