import { type RefObject, useEffect, useRef } from "react";
import { MapFrame } from "../map-frame.tsx";
import type { StyledMapOptions } from "../styled-map.ts";
import { useStyledMap } from "../use-styled-map.ts";
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

/** A map with areas, on which one may be drawn. */
export function AreaMapView(props: AreaMapViewProps) {
  const latest = useRef(props);
  latest.current = props;
  const used = useStyledMap(props.label, (options) => createMap(options, latest));
  const { map } = used;
  useShownData(map, props);
  useDrawing(map, latest, props.drawing !== undefined);
  useFirstFit(map, props);
  return <MapFrame used={used} onShowAll={(shown) => shown.fit(focusOf(props))} />;
}

function createMap(options: StyledMapOptions, latest: RefObject<AreaMapViewProps>) {
  const { onPick, center } = latest.current;
  const map = new AreaMap({
    ...options,
    ...(onPick ? { onPick: (id: number) => latest.current.onPick?.(id) } : {}),
  });
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
