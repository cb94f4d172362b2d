import { commit, type History, redo, startHistory, undo } from "./history.ts";
import {
  emptyShape,
  insertVertex,
  type LngLat,
  moveVertex,
  removeRing,
  removeVertex,
  type Shape,
  type ShapeType,
  type VertexRef,
  withRadius,
} from "./shape.ts";

/** `drawnRing`: the ring that each press on the map continues; undefined while vertices are only moved. */
export type Sketch = { shape: Shape; drawnRing: number | undefined };
export type Drawing = { history: History<Sketch>; selected: VertexRef | undefined };

export type DrawingAction =
  | { type: "add"; position: LngLat }
  /** Puts the center of a circle somewhere. */
  | { type: "put"; position: LngLat }
  | { type: "finish" }
  | { type: "continue" }
  | { type: "insert"; at: VertexRef; position: LngLat }
  | { type: "move"; at: VertexRef; position: LngLat }
  | { type: "edit"; at: VertexRef; position: LngLat }
  | { type: "remove"; at: VertexRef }
  | { type: "select"; at: VertexRef | undefined }
  | { type: "startHole" }
  | { type: "removeHole"; ring: number }
  | { type: "radius"; meters: number }
  | { type: "undo" }
  | { type: "redo" };

/** Begins with an empty shape that is to be drawn, or with one that is to be changed. */
export function startDrawing(given: ShapeType | Shape): Drawing {
  const sketch =
    typeof given === "string" ? { shape: emptyShape(given), drawnRing: 0 } : { shape: given, drawnRing: undefined };
  return { history: startHistory<Sketch>(sketch), selected: undefined };
}

export function shapeOf({ history }: Drawing): Shape {
  return history.present.shape;
}

/** Whether the drawing differs from what it began with. */
export function isChanged({ history }: Drawing): boolean {
  return history.past.length > 0 && (history.past[0]?.shape ?? undefined) !== history.present.shape;
}

/** The drawing after an action. Every change of the shape is a step that can be undone. */
export function reduceDrawing(drawing: Drawing, action: DrawingAction): Drawing {
  const { history } = drawing;
  const { shape, drawnRing } = history.present;
  switch (action.type) {
    case "add":
      return drawnRing === undefined ? drawing : addVertex(drawing, drawnRing, action.position);
    case "put":
      return addVertex(drawing, 0, action.position);
    case "finish":
      return drawnRing === undefined ? drawing : finish(drawing, drawnRing);
    case "continue":
      return change(drawing, { shape, drawnRing: 0 });
    case "insert":
      return change(drawing, { shape: insertVertex(shape, action.at, action.position), drawnRing }, action.at);
    case "move":
      return change(drawing, { shape: moveVertex(shape, action.at, action.position), drawnRing }, action.at);
    case "edit": {
      const key = `vertex ${action.at.ring} ${action.at.index}`;
      return change(drawing, { shape: moveVertex(shape, action.at, action.position), drawnRing }, action.at, key);
    }
    case "remove":
      return change(drawing, {
        shape: removeVertex(shape, action.at),
        drawnRing: ringLeft(shape, action.at, drawnRing),
      });
    case "startHole":
      return change(drawing, { shape: { ...shape, rings: [...shape.rings, []] }, drawnRing: shape.rings.length });
    case "removeHole":
      return change(drawing, { shape: removeRing(shape, action.ring), drawnRing: undefined });
    case "radius":
      return change(drawing, { shape: withRadius(shape, action.meters), drawnRing }, drawing.selected, "radius");
    case "select":
      return { ...drawing, selected: action.at };
    case "undo":
      return { history: undo(history), selected: undefined };
    case "redo":
      return { history: redo(history), selected: undefined };
  }
}

function change(drawing: Drawing, next: Sketch, selected?: VertexRef, key?: string): Drawing {
  return { history: commit(drawing.history, next, key), selected };
}

/** A circle needs no more than its center. */
function addVertex(drawing: Drawing, ring: number, position: LngLat): Drawing {
  const { shape } = drawing.history.present;
  const index = shape.rings[ring]?.length ?? 0;
  if (shape.type === "circle") {
    const next =
      index === 0 ? insertVertex(shape, { ring, index }, position) : moveVertex(shape, { ring, index: 0 }, position);
    return change(drawing, { shape: next, drawnRing: undefined });
  }
  return change(drawing, { shape: insertVertex(shape, { ring, index }, position), drawnRing: ring });
}

/** Ends the ring that is being drawn; a hole without a corner is none. */
function finish(drawing: Drawing, ring: number): Drawing {
  const { shape } = drawing.history.present;
  const isEmptyHole = ring > 0 && shape.rings[ring]?.length === 0;
  return change(drawing, { shape: isEmptyHole ? removeRing(shape, ring) : shape, drawnRing: undefined });
}

/** The ring to be continued after a vertex is removed; the hole that is drawn may be gone with it. */
function ringLeft(shape: Shape, at: VertexRef, drawnRing: number | undefined): number | undefined {
  const isGone = at.ring > 0 && shape.rings[at.ring]?.length === 1;
  if (!isGone || drawnRing === undefined) return drawnRing;
  return drawnRing === at.ring ? undefined : drawnRing - Number(drawnRing > at.ring);
}
