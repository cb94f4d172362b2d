import { Loader, Stack } from "@mantine/core";
import { IconFocusCentered, IconMinus, IconPlus } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { useTexts } from "../text/use-texts.tsx";
import styles from "./map.module.css";
import { MapControl, MapNotice } from "./map-controls.tsx";
import type { StyledMap } from "./styled-map.ts";
import type { UsedMap } from "./use-styled-map.ts";

// Menus are long; most installations offer no other style.
const StyleMenu = lazy(async () => ({ default: (await import("./style-menu.tsx")).StyleMenu }));

type MapFrameProps<View extends StyledMap> = { used: UsedMap<View>; onShowAll(map: View): void };

/** A map with its buttons and notices. A list beside it says the same to people who cannot use a map. */
export function MapFrame<View extends StyledMap>({ used, onShowAll }: MapFrameProps<View>) {
  const { map: words } = useTexts();
  const { map, container, style, isFallback, hasFailed } = used;
  return (
    <div className={styles.frame}>
      <div ref={container} className={styles.map} data-ready={map ? true : undefined} />
      {!map && <Loader className={styles.loader} aria-label={words.loading} />}
      {hasFailed && <MapNotice text={words.failed} />}
      {isFallback && <MapNotice text={words.fallback} />}
      <Stack className={styles.controls} gap={6}>
        <MapControl label={words.zoomIn} icon={IconPlus} onClick={() => map?.view.zoomIn()} />
        <MapControl label={words.zoomOut} icon={IconMinus} onClick={() => map?.view.zoomOut()} />
        <MapControl label={words.showAll} icon={IconFocusCentered} onClick={() => map && onShowAll(map)} />
        {style.offered.length > 0 && (
          <Suspense fallback={null}>
            <StyleMenu {...style} />
          </Suspense>
        )}
      </Stack>
    </div>
  );
}
