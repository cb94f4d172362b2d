import type { MapMouseEvent, MapTouchEvent, Subscription } from "maplibre-gl";
import type { AreaMap } from "./area-map.ts";
import type { DrawingAction, Sketch } from "./drawing.ts";
import { type Handle, handlesOf } from "./features.ts";
import { metersBetween } from "./geometry.ts";
import { insertVertex, type LngLat, MIN_VERTICES, moveVertex, nearTo, type Shape, withRadius } from "./shape.ts";
import { type SnapLine, snap } from "./snap.ts";

type Press = MapMouseEvent | MapTouchEvent;
export type PointerOptions = {
  sketch(): Sketch;
  /** Lines of other areas to snap to; undefined while nothing snaps. */
  snapLines(): SnapLine[] | undefined;
  dispatch(action: DrawingAction): void;
  /** Shows a shape while it is dragged; undefined ends that. */
  preview(shape: Shape | undefined): void;
};

const HIT_PX = 9;
const TOUCH_HIT_PX = 18;
const SNAP_PX = 12;
const SAME_PX = 4;

/** Turns presses and drags on the map into actions of a drawing. */
export class DrawingPointer {
  #map: AreaMap;
  #options: PointerOptions;
  #dragged: { handle: Handle; hasMoved: boolean; position: LngLat } | undefined;
  /** A press on a handle is followed by a click, which adds nothing. */
  #ignoresClick = false;
  #subscriptions: Subscription[];

  constructor(map: AreaMap, options: PointerOptions) {
    this.#map = map;
    this.#options = options;
    const { view } = map;
    this.#subscriptions = [
      view.on("mousedown", this.#press),
      view.on("touchstart", this.#press),
      view.on("mousemove", this.#move),
      view.on("touchmove", this.#move),
      view.on("mouseup", this.#release),
      view.on("touchend", this.#release),
      view.on("mouseout", () => map.setGuide(options.sketch(), undefined)),
      view.on("click", this.#click),
      view.on("dblclick", this.#finish),
    ];
  }

  stop() {
    for (const { unsubscribe } of this.#subscriptions) unsubscribe();
  }

  #press = (event: Press) => {
    this.#ignoresClick = false;
    const touches = event.type === "touchstart" ? event.points.length : 0;
    if (touches > 1) return;
    const handle = this.#handleAt(event.point, touches === 1 ? TOUCH_HIT_PX : HIT_PX);
    if (!handle) return;
    event.preventDefault(); // the map stays where it is
    this.#dragged = { handle, hasMoved: false, position: handle.position };
  };

  #move = (event: Press) => {
    const sketch = this.#options.sketch();
    const canvas = this.#map.view.getCanvas();
    if (this.#dragged) {
      const { handle } = this.#dragged;
      const position = this.#snap(event, handle);
      this.#dragged = { handle, hasMoved: true, position };
      this.#options.preview(dragTo(sketch.shape, handle, position));
      return;
    }
    const isDrawing = sketch.drawnRing !== undefined;
    canvas.style.cursor = this.#handleAt(event.point, HIT_PX) ? "pointer" : isDrawing ? "crosshair" : "";
    if (isDrawing) this.#map.setGuide(sketch, this.#unwrap(this.#snap(event)));
  };

  #release = () => {
    const { dispatch, preview, sketch } = this.#options;
    const dragged = this.#dragged;
    if (!dragged) return;
    this.#dragged = undefined;
    this.#ignoresClick = true;
    const { handle, hasMoved, position } = dragged;
    const { kind, at } = handle;
    const { shape, drawnRing } = sketch();
    if (hasMoved && kind === "radius") dispatch({ type: "radius", meters: radiusAt(shape, position) });
    else if (kind === "middle") dispatch({ type: "insert", at, position });
    else if (hasMoved && kind === "vertex") dispatch({ type: "move", at, position });
    else if (drawnRing === at.ring && closes(shape, handle)) dispatch({ type: "finish" });
    else dispatch({ type: "select", at });
    preview(undefined);
  };

  #click = (event: MapMouseEvent) => {
    if (this.#ignoresClick) {
      this.#ignoresClick = false;
      return;
    }
    const { sketch, dispatch } = this.#options;
    const { shape, drawnRing } = sketch();
    if (drawnRing === undefined) return dispatch({ type: "select", at: undefined });
    const last = shape.rings[drawnRing]?.at(-1);
    // The second press of a double one is at the vertex that the first has added.
    if (last && this.#distance(last, event.point) <= SAME_PX) return;
    dispatch({ type: "add", position: this.#snap(event) });
    this.#map.setGuide(sketch(), undefined);
  };

  #finish = (event: MapMouseEvent) => {
    const { sketch, dispatch } = this.#options;
    if (sketch().drawnRing === undefined) return;
    event.preventDefault(); // the map does not come closer
    dispatch({ type: "finish" });
  };

  #handleAt(point: { x: number; y: number }, tolerance: number): Handle | undefined {
    return handlesOf(this.#options.sketch()).find(({ position }) => this.#distance(position, point) <= tolerance);
  }

  #distance(position: LngLat, { x, y }: { x: number; y: number }): number {
    const pixel = this.#map.view.project(this.#inView(position));
    return Math.hypot(pixel.x - x, pixel.y - y);
  }

  /** The position in the copy of the world that is in view. */
  #inView(position: LngLat): [number, number] {
    const [lng, lat] = nearTo(position, this.#map.center);
    return [lng, lat];
  }

  #snap({ lngLat }: Press, handle?: Handle): LngLat {
    const position: LngLat = [lngLat.lng, lngLat.lat];
    const lines = this.#options.snapLines();
    if (!lines || handle?.kind === "radius") return position;
    const project = (corner: LngLat) => this.#map.view.project(this.#inView(corner));
    return (
      snap(position, [...lines, ...ownLines(this.#options.sketch(), handle)], { project, tolerance: SNAP_PX }) ??
      position
    );
  }

  #unwrap(position: LngLat): LngLat {
    const { shape, drawnRing = 0 } = this.#options.sketch();
    const last = shape.rings[drawnRing]?.at(-1);
    return last ? nearTo(position, last) : position;
  }
}

/** The shape while a handle of it is at a position. */
function dragTo(shape: Shape, { kind, at }: Handle, position: LngLat): Shape {
  if (kind === "radius") return withRadius(shape, radiusAt(shape, position));
  return kind === "middle" ? insertVertex(shape, at, position) : moveVertex(shape, at, position);
}

function radiusAt({ rings, radius }: Shape, position: LngLat): number {
  const center = rings[0]?.[0];
  return center ? Math.max(1, Math.round(metersBetween(center, position))) : radius;
}

/** Whether a press on the vertex ends the line: its last one, or the first one of a ring. */
function closes({ type, rings }: Shape, { at }: Handle): boolean {
  const { length } = rings[at.ring] ?? [];
  return length >= MIN_VERTICES && (at.index === length - 1 || (type === "polygon" && at.index === 0));
}

/** The other rings of the sketch: a vertex does not snap to edges that move with it. */
function ownLines({ shape, drawnRing }: Sketch, handle: Handle | undefined): SnapLine[] {
  const moved = handle?.at.ring ?? drawnRing;
  return shape.rings
    .filter((_, ring) => ring !== moved)
    .map((vertices) => ({ vertices, isClosed: shape.type === "polygon" }));
}
