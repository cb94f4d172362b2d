import { Loader, Stack, useComputedColorScheme } from "@mantine/core";
import { IconFocusCentered, IconMinus, IconPlus } from "@tabler/icons-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useUser } from "../../session/user.tsx";
import { useTexts } from "../../text/use-texts.tsx";
import { loadStyle, type MapStyle } from "../load-style.ts";
import styles from "../map.module.css";
import { MapControl, MapNotice, StyleMenu, scaleUnitOf, useStyleChoice } from "../map-controls.tsx";
import { AreaMap } from "./area-map.ts";
import type { DrawingAction, Sketch } from "./drawing.ts";
import type { Area } from "./features.ts";
import { type Bounds, boundsOf, joinBounds } from "./geometry.ts";
import { DrawingPointer } from "./pointer.ts";
import type { LngLat, Shape, VertexRef } from "./shape.ts";
import type { SnapLine } from "./snap.ts";
import "maplibre-gl/dist/maplibre-gl.css";

export type SketchProps = {
  sketch: Sketch;
  selected: VertexRef | undefined;
  color: string;
  isSnapping: boolean;
  dispatch(action: DrawingAction): void;
};
export type AreaMapViewProps = {
  /** Names the map for people who cannot see it. */
  label: string;
  areas: Area[];
  highlighted?: number;
  onPick?(id: number): void;
  drawing?: SketchProps;
  /** Where visitors came in. */
  visits?: LngLat[];
  /** A position that the map goes to whenever another one is given. */
  focus?: LngLat | undefined;
  /** Receives the position in the middle of the map. */
  center?: RefObject<(() => LngLat) | undefined>;
};

/** A map with areas, on which one may be drawn. A list or a table beside it says the same to people who cannot use a map. */
export function AreaMapView(props: AreaMapViewProps) {
  const { map: words } = useTexts();
  const container = useRef<HTMLDivElement>(null);
  const style = useStyleChoice();
  const latest = useRef(props);
  latest.current = props;
  const { map, isFallback, hasFailed } = useAreaMap(container, style.choice, latest);
  useShownData(map, props);
  useDrawing(map, latest, props.drawing !== undefined);
  useFirstFit(map, props);
  return (
    <div className={styles.frame}>
      <div ref={container} className={styles.map} data-ready={map ? true : undefined} />
      {!map && !hasFailed && <Loader className={styles.loader} aria-label={words.loading} />}
      {hasFailed && <MapNotice text={words.failed} />}
      {isFallback && <MapNotice text={words.fallback} />}
      <Stack className={styles.controls} gap={6}>
        <MapControl label={words.zoomIn} icon={IconPlus} onClick={() => map?.view.zoomIn()} />
        <MapControl label={words.zoomOut} icon={IconMinus} onClick={() => map?.view.zoomOut()} />
        <MapControl label={words.showAll} icon={IconFocusCentered} onClick={() => map?.fit(focusOf(props))} />
        <StyleMenu {...style} />
      </Stack>
    </div>
  );
}

/** Creates the map once its style is loaded. */
function useAreaMap(
  container: RefObject<HTMLDivElement | null>,
  choice: MapStyle | undefined | null,
  latest: RefObject<AreaMapViewProps>,
) {
  const theme = useComputedColorScheme("light");
  const unit = scaleUnitOf(useUser().info.user_info.measurement_system);
  const [map, setMap] = useState<AreaMap>();
  const [outcome, setOutcome] = useState({ isFallback: false, hasFailed: false });
  const current = useRef<AreaMap>(undefined);
  useEffect(() => {
    if (choice === null) return;
    let isOver = false;
    void loadStyle(choice, theme).then(
      ({ style, isFallback }) => {
        if (isOver || !container.current) return;
        setOutcome({ isFallback, hasFailed: false });
        if (!current.current) {
          current.current = createMap(container.current, latest, unit);
          setMap(current.current);
        }
        current.current.setStyle(style, theme);
      },
      () => setOutcome({ isFallback: false, hasFailed: true }),
    );
    return () => {
      isOver = true;
    };
  }, [choice, theme, container, unit, latest]);
  useEffect(
    () => () => {
      current.current?.remove();
      current.current = undefined;
    },
    [],
  );
  return { map, ...outcome };
}

function createMap(
  container: HTMLElement,
  latest: RefObject<AreaMapViewProps>,
  unit: "metric" | "imperial" | "nautical",
) {
  const { label, onPick } = latest.current;
  const map = new AreaMap({
    ...{ container, label, unit },
    ...(onPick ? { onPick: (id: number) => latest.current.onPick?.(id) } : {}),
  });
  const { center } = latest.current;
  if (center) center.current = () => map.center;
  return map;
}

function useShownData(map: AreaMap | undefined, { areas, highlighted, visits, drawing }: AreaMapViewProps) {
  useEffect(() => map?.setAreas(areas, highlighted), [map, areas, highlighted]);
  useEffect(() => map?.setVisits(visits ?? []), [map, visits]);
  const { sketch, selected, color = "" } = drawing ?? {};
  useEffect(() => map?.setSketch(sketch, selected, color), [map, sketch, selected, color]);
}

/** Listens to presses and drags while something may be drawn. */
function useDrawing(map: AreaMap | undefined, latest: RefObject<AreaMapViewProps>, isDrawn: boolean) {
  useEffect(() => {
    if (!map || !isDrawn) return;
    const props = () => latest.current.drawing as SketchProps; // it is there as long as something may be drawn
    const pointer = new DrawingPointer(map, {
      sketch: () => props().sketch,
      snapLines: () => (props().isSnapping ? linesOf(latest.current.areas) : undefined),
      dispatch: (action) => props().dispatch(action),
      preview: (shape: Shape | undefined) => {
        const { sketch, selected, color } = props();
        map.setSketch(shape ? { ...sketch, shape } : sketch, selected, color);
      },
    });
    return () => pointer.stop();
  }, [map, latest, isDrawn]);
}

/** Shows everything as soon as it is there, unless the user has begun to draw; later what the page points out. */
function useFirstFit(map: AreaMap | undefined, props: AreaMapViewProps) {
  const isDone = useRef(false);
  const first = useRef(props.drawing?.sketch);
  useEffect(() => {
    if (!map || isDone.current) return;
    const hasBegun = props.drawing?.sketch !== first.current;
    const focus = focusOf(props);
    if (!focus && !hasBegun) return;
    isDone.current = true;
    if (!hasBegun) map.fit(focus, true);
  });
  const { focus } = props;
  useEffect(() => {
    if (!map || !focus) return;
    isDone.current = true;
    map.showPosition(focus);
  }, [map, focus]);
}

/** The sketch once it has vertices, or the highlighted area, else all areas. */
function focusOf({ drawing, areas, highlighted }: AreaMapViewProps): Bounds | undefined {
  const shape = drawing?.sketch.shape ?? areas.find(({ id }) => id === highlighted)?.shape;
  const sketch = shape && boundsOf(shape);
  return sketch ?? joinBounds(areas.map(({ shape }) => boundsOf(shape)).filter((box) => box !== undefined));
}

function linesOf(areas: Area[]): SnapLine[] {
  return areas
    .filter(({ shape }) => shape.type !== "circle")
    .flatMap(({ shape }) => shape.rings.map((vertices) => ({ vertices, isClosed: shape.type === "polygon" })));
}
