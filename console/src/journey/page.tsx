import { Loader, SegmentedControl } from "@mantine/core";
import { IconRoute } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useMemo } from "react";
import { EmptyState } from "../component/empty-state.tsx";
import { Refusal } from "../component/refusal.tsx";
import { useSearchParams } from "../component/use-search-params.ts";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { trackersQuery } from "../tracker/queries.ts";
import styles from "./journey.module.css";
import { JourneyView } from "./journey-view.tsx";

const FleetView = lazy(async () => ({ default: (await import("./fleet-view.tsx")).FleetView }));
const VIEWS = ["journeys", "fleet"] as const;

/** The past: journeys of some vehicles in a period, or the whole fleet at a moment. */
export function JourneysPage() {
  const { journey: words, frame } = useTexts();
  const { locale } = useFormat();
  const [search, change] = useSearchParams();
  const trackers = useQuery(trackersQuery);
  const usable = useMemo(() => {
    const { compare } = new Intl.Collator(locale, { numeric: true, sensitivity: "base" });
    return trackers.data
      ?.filter(({ source }) => !source.blocked)
      .toSorted((one, other) => compare(one.label, other.label));
  }, [trackers.data, locale]);
  useEffect(() => {
    document.title = `${words.title} · ${frame.product}`;
  }, [words, frame]);
  if (trackers.error && !usable) return <Refusal error={trackers.error} onRetry={() => void trackers.refetch()} />;
  if (!usable) return <Loader aria-label={frame.loading} />;
  if (usable.length === 0)
    return <EmptyState icon={IconRoute} title={words.noTrackers.title} text={words.noTrackers.text} />;
  const view = VIEWS.find((one) => one === search.view) ?? "journeys";
  const choice = (
    <>
      <h1 className={styles.title}>{words.title}</h1>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={words.view}
        value={view}
        onChange={(next) => change({ view: next === "journeys" ? undefined : next })}
        data={VIEWS.map((value) => ({ value, label: words.views[value] }))}
      />
    </>
  );
  if (view === "journeys") return <JourneyView trackers={usable} choice={choice} />;
  return (
    <Suspense fallback={<Loader aria-label={frame.loading} />}>
      <FleetView trackers={usable} choice={choice} />
    </Suspense>
  );
}
