import { Button, Loader } from "@mantine/core";
import { IconMap2 } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { EmptyState } from "../component/empty-state.tsx";
import { Refusal } from "../component/refusal.tsx";
import { useSearchParams } from "../component/use-search-params.ts";
import { useLive } from "../live/use-live.ts";
import { useUser } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { ObjectDetails } from "./details.tsx";
import { ObjectList } from "./list.tsx";
import styles from "./overview.module.css";
import { useFleet } from "./use-fleet.ts";

// The list is there before the code of the map is.
const ObjectMapView = lazy(async () => ({ default: (await import("../map/map-view.tsx")).ObjectMapView }));

/** The whole fleet at this moment: a map, and beside it a list of the same objects. */
export function LiveMapPage() {
  const { map: words, frame } = useTexts();
  const { states, connection } = useLive();
  const [members, setMembers] = useState<ReadonlySet<number>>();
  const { fleet, error, retry } = useFleet(states, members);
  const [search, change] = useSearchParams();
  const selected = useMemo(
    () => fleet?.objects.find(({ id }) => String(id) === search.object),
    [fleet?.objects, search.object],
  );
  const select = useCallback((id: number) => change({ object: String(id), follow: undefined }), [change]);
  const close = useCallback(() => change({ object: undefined, follow: undefined }), [change]);
  const stopFollowing = useCallback(() => change({ follow: undefined }), [change]);
  const showMembers = useCallback((ids: number[]) => setMembers(new Set(ids)), []);
  useEffect(() => {
    document.title = `${words.title} · ${frame.product}`;
  }, [words, frame]);
  if (error && !fleet) return <Refusal error={error} onRetry={retry} />;
  if (!fleet) return <Loader aria-label={frame.loading} />;
  if (fleet.objects.length === 0) return <NoTrackers />;
  const isFollowing = search.follow === "1";
  return (
    <div className={styles.page} data-details={selected ? true : undefined}>
      <h1 className={styles.title}>{words.title}</h1>
      <ObjectList
        {...{ fleet, states, connection, members, selected }}
        onSelect={select}
        onClearMembers={() => setMembers(undefined)}
      />
      <section className={styles.map} aria-label={words.label}>
        <Suspense fallback={<Loader className={styles.loader} aria-label={words.loading} />}>
          <ObjectMapView
            {...{ states, selected, isFollowing, objects: fleet.shown }}
            onSelect={select}
            onCluster={showMembers}
            onMoved={stopFollowing}
          />
        </Suspense>
      </section>
      {selected && (
        <ObjectDetails
          key={selected.id}
          {...{ object: selected, states, isFollowing }}
          onFollow={(follows) => change({ follow: follows ? "1" : undefined })}
          onClose={close}
        />
      )}
    </div>
  );
}

function NoTrackers() {
  const { map: words, registration } = useTexts();
  const { can } = useUser();
  return (
    <EmptyState
      icon={IconMap2}
      title={words.empty.title}
      text={words.empty.text}
      action={
        can("tracker_register") && (
          <Button component={Link} to="/trackers/new" variant="default">
            {registration.action}
          </Button>
        )
      }
    />
  );
}
