import { type FormEvent, type ReactNode, type RefObject, useEffect, useState } from "react";
import { LeaveGuard } from "../../component/leave-guard.tsx";
import { useTexts } from "../../text/use-texts.tsx";
import { type Drawing, type DrawingAction, shapeOf } from "./drawing.ts";
import styles from "./editor.module.css";
import type { Area } from "./features.ts";
import { AreaMap } from "./lazy-area-map.tsx";
import { type LngLat, problemsOf, type ShapeProblem, WARNINGS } from "./shape.ts";
import { actionOfKey, DrawingToolbar } from "./toolbar.tsx";

type EditorPageProps = {
  drawing: Drawing;
  dispatch(action: DrawingAction): void;
  color: string;
  /** Other areas, which the shape may snap to. */
  others: Area[];
  mayEdit: boolean;
  visits?: LngLat[];
  focus?: LngLat | undefined;
  centerOfMap: RefObject<(() => LngLat) | undefined>;
  isChanged(): boolean;
  onSubmit(): void;
  fields: ReactNode;
  buttons: ReactNode;
};

/** A page that draws one shape: its fields beside the map. Keys work on the whole page. */
export function EditorPage(props: EditorPageProps) {
  const { drawing: words } = useTexts();
  const { drawing, dispatch, color, others, mayEdit, visits = NO_VISITS, focus, centerOfMap } = props;
  const [isSnapping, setSnapping] = useState(true);
  const { history, selected } = drawing;
  useShortcuts(drawing, dispatch, mayEdit);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    props.onSubmit();
  };
  return (
    <div className={styles.page}>
      {mayEdit && <LeaveGuard isChanged={props.isChanged} />}
      <form className={styles.panel} onSubmit={submit} noValidate>
        <div className={styles.fields}>{props.fields}</div>
        {mayEdit && <div className={styles.buttons}>{props.buttons}</div>}
      </form>
      <section className={styles.map} aria-label={words.mapLabel}>
        {mayEdit && <DrawingToolbar {...{ drawing, dispatch, isSnapping }} onSnap={setSnapping} />}
        <div className={styles.canvas}>
          <AreaMap
            {...{ label: words.mapLabel, center: centerOfMap, visits, focus }}
            {...(mayEdit
              ? { areas: others, drawing: { sketch: history.present, selected, color, isSnapping, dispatch } }
              : {
                  areas: [...others, { id: OWN_ID, label: "", color, shape: history.present.shape }],
                  highlighted: OWN_ID,
                })}
          />
        </div>
      </section>
    </div>
  );
}

const NO_VISITS: LngLat[] = [];
/** The id of the shape itself where it cannot be changed. */
const OWN_ID = -1;

/** Keys of the drawing, wherever the focus is. */
function useShortcuts(drawing: Drawing, dispatch: (action: DrawingAction) => void, isOn: boolean) {
  useEffect(() => {
    if (!isOn) return;
    const listen = (event: KeyboardEvent) => {
      const action = actionOfKey(event, drawing);
      if (!action) return;
      event.preventDefault();
      dispatch(action);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [drawing, dispatch, isOn]);
}

/** The problems of the shape in words; `isBlocking` is true if the server would refuse it. */
export function useProblems(drawing: Drawing): { texts: { key: ShapeProblem; text: string }[]; isBlocking: boolean } {
  const { problems: words } = useTexts().drawing;
  const shape = shapeOf(drawing);
  const problems = problemsOf(shape);
  const isDrawn = shape.rings.some(({ length }) => length > 0);
  const texts = problems.map((key) => ({
    key,
    text: key === "tooFew" && shape.type === "circle" ? words.noCenter : words[key],
  }));
  return {
    // Before the first press the hint on the map says what to do.
    texts: isDrawn && drawing.history.present.drawnRing === undefined ? texts : [],
    isBlocking: problems.some((problem) => !WARNINGS.includes(problem)),
  };
}
