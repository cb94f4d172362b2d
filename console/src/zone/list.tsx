import { Button, Loader } from "@mantine/core";
import { IconPlus, IconPolygon, IconUpload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { EmptyState } from "../component/empty-state.tsx";
import { PageHeader } from "../component/page-header.tsx";
import { Refusal } from "../component/refusal.tsx";
import type { Column, Filter } from "../component/table/columns.ts";
import type { Format } from "../format/format.ts";
import styles from "../map/drawing/area-list.module.css";
import { AreaList } from "../map/drawing/area-list.tsx";
import type { Area } from "../map/drawing/features.ts";
import { areaOf } from "../map/drawing/geometry.ts";
import { useFormat, useUser } from "../session/user.tsx";
import { namesOfTags, type Tag, tagsQuery } from "../tag/queries.ts";
import type { Texts } from "../text/texts.ts";
import { useTexts } from "../text/use-texts.tsx";
import { toArea, zonesQuery } from "./queries.ts";
import type { Zone } from "./zone-shape.ts";

type ZoneRow = { id: number; zone: Zone; area: Area; tags: string[] };

/** The zones as a list and on a map. */
export function ZoneListPage() {
  const texts = useTexts();
  const { zone: words, frame } = texts;
  const format = useFormat();
  const mayEdit = useUser().can("zone_update");
  const zones = useQuery(zonesQuery);
  const tags = useQuery(tagsQuery);
  const rows = useMemo(() => toRows(zones.data ?? [], tags.data ?? []), [zones.data, tags.data]);
  const columns = useMemo(() => columnsOf(texts, format), [texts, format]);
  const filters = useMemo(() => filtersOf(texts, tags.data ?? []), [texts, tags.data]);
  return (
    <>
      <PageHeader title={words.title} subtitle={words.subtitle} actions={mayEdit && <Actions />} />
      {zones.error && !zones.data ? (
        <Refusal error={zones.error} onRetry={() => void zones.refetch()} />
      ) : !zones.data ? (
        <Loader aria-label={frame.loading} />
      ) : rows.length === 0 ? (
        <EmptyState
          icon={IconPolygon}
          title={words.empty.title}
          text={words.empty.text}
          action={
            mayEdit && (
              <Button component={Link} to="/zones/new">
                {words.empty.action}
              </Button>
            )
          }
        />
      ) : (
        <AreaList
          {...{ label: words.title, mapLabel: words.mapLabel, rows, columns, filters }}
          areaOf={areaOfRow}
          linkOf={({ id }) => ({ to: "/zones/$id", params: { id: String(id) } })}
        />
      )}
    </>
  );
}

function Actions() {
  const { zone: words } = useTexts();
  return (
    <>
      <Button component={Link} to="/zones/import" variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
        {words.import}
      </Button>
      <Button component={Link} to="/zones/new" leftSection={<IconPlus size={16} aria-hidden />}>
        {words.new}
      </Button>
    </>
  );
}

function toRows(zones: Zone[], tags: Tag[]): ZoneRow[] {
  return zones.map((zone) => ({ id: zone.id, zone, area: toArea(zone), tags: namesOfTags(zone.tags, tags) }));
}

function areaOfRow({ area }: ZoneRow) {
  return area;
}

function columnsOf({ zone: words }: Texts, format: Format): Column<ZoneRow>[] {
  const { columns: labels } = words;
  return [
    {
      id: "label",
      label: labels.label,
      value: ({ zone }) => zone.label,
      render: ({ zone }) => (
        <>
          <span className={styles.swatch} style={{ background: `#${zone.color}` }} />
          <bdi>{zone.label}</bdi>
        </>
      ),
      width: "minmax(10rem, 2fr)",
    },
    { id: "type", label: labels.type, value: ({ zone }) => words.types[zone.type], width: "minmax(6rem, 0.7fr)" },
    { id: "tags", label: labels.tags, value: ({ tags }) => tags.join(", "), width: "minmax(6rem, 1fr)" },
    {
      id: "size",
      label: labels.size,
      value: ({ area }) => areaOf(area.shape),
      render: ({ area }) => format.area(areaOf(area.shape)),
      align: "end",
      width: "minmax(6rem, 0.7fr)",
      isHidden: true,
    },
    { id: "address", label: labels.address, value: ({ zone }) => zone.address, isHidden: true },
  ];
}

function filtersOf({ zone: words }: Texts, tags: Tag[]): Filter<ZoneRow>[] {
  const types = Object.entries(words.types).map(([value, label]) => ({ value, label }));
  return [
    { id: "type", label: words.columns.type, options: types, value: ({ zone }) => zone.type },
    {
      id: "tag",
      label: words.columns.tags,
      options: tags.map(({ id, name }) => ({ value: String(id), label: name })),
      value: ({ zone }) => zone.tags.map(String),
    },
  ];
}
