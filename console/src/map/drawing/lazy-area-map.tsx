import { Loader } from "@mantine/core";
import { lazy, Suspense } from "react";
import { useTexts } from "../../text/use-texts.tsx";
import type { AreaMapViewProps } from "./area-map-view.tsx";

const LoadedMap = lazy(async () => ({ default: (await import("./area-map-view.tsx")).AreaMapView }));

/** The map, whose code is loaded after the page around it is there. */
export function AreaMap(props: AreaMapViewProps) {
  const { map } = useTexts();
  return (
    <Suspense fallback={<Loader m="auto" pos="absolute" inset={0} aria-label={map.loading} />}>
      <LoadedMap {...props} />
    </Suspense>
  );
}
