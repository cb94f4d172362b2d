import { ActionIcon, Button } from "@mantine/core";
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCheck,
  IconMagnet,
  IconPencilPlus,
  IconShape2,
  IconTrash,
  type TablerIcon,
} from "@tabler/icons-react";
import { useTexts } from "../../text/use-texts.tsx";
import type { Drawing, DrawingAction } from "./drawing.ts";
import styles from "./editor.module.css";
import { MIN_VERTICES } from "./shape.ts";

type ToolbarProps = {
  drawing: Drawing;
  dispatch(action: DrawingAction): void;
  isSnapping: boolean;
  onSnap(isSnapping: boolean): void;
};

/** The tools above a map that is drawn on, with a line that says what to do. */
export function DrawingToolbar({ drawing, dispatch, isSnapping, onSnap }: ToolbarProps) {
  const { drawing: words } = useTexts();
  const { past, present, future } = drawing.history;
  const { shape, drawnRing } = present;
  const isDrawing = drawnRing !== undefined;
  const isOutlined = (shape.rings[0]?.length ?? 0) >= MIN_VERTICES;
  const { selected } = drawing;
  return (
    <div className={styles.toolbar}>
      <div className={styles.hint} role="status">
        {words.hints[hintOf(drawing)]}
      </div>
      <div className={styles.tools} role="toolbar" aria-label={words.tools}>
        {isDrawing && shape.type !== "circle" && (
          <Button
            size="sm"
            leftSection={<IconCheck size={16} aria-hidden />}
            onClick={() => dispatch({ type: "finish" })}
          >
            {words.finish}
          </Button>
        )}
        {!isDrawing && shape.type !== "circle" && (
          <Tool label={words.continue} icon={IconPencilPlus} onClick={() => dispatch({ type: "continue" })} />
        )}
        {!isDrawing && shape.type === "polygon" && isOutlined && (
          <Tool label={words.hole} icon={IconShape2} onClick={() => dispatch({ type: "startHole" })} />
        )}
        {selected && shape.type !== "circle" && (
          <Tool label={words.remove} icon={IconTrash} onClick={() => dispatch({ type: "remove", at: selected })} />
        )}
        {shape.type !== "circle" && (
          <Tool label={words.snap} icon={IconMagnet} isPressed={isSnapping} onClick={() => onSnap(!isSnapping)} />
        )}
        <Tool
          label={words.undo}
          icon={IconArrowBackUp}
          isDisabled={past.length === 0}
          onClick={() => dispatch({ type: "undo" })}
        />
        <Tool
          label={words.redo}
          icon={IconArrowForwardUp}
          isDisabled={future.length === 0}
          onClick={() => dispatch({ type: "redo" })}
        />
      </div>
    </div>
  );
}

type ToolProps = { label: string; icon: TablerIcon; isPressed?: boolean; isDisabled?: boolean; onClick(): void };

function Tool({ label, icon: Icon, isPressed, isDisabled = false, onClick }: ToolProps) {
  return (
    <ActionIcon
      variant={isPressed ? "filled" : "default"}
      size={36}
      aria-label={label}
      title={label}
      disabled={isDisabled}
      {...(isPressed === undefined ? {} : { "aria-pressed": isPressed })}
      onClick={onClick}
    >
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
}

function hintOf({ history: { present } }: Drawing) {
  const { shape, drawnRing } = present;
  if (drawnRing === undefined)
    return ({ circle: "editCircle", polygon: "edit", sausage: "editLine" } as const)[shape.type];
  return drawnRing > 0 ? "hole" : shape.type;
}

/** The action of a key that is pressed anywhere but in a field of a form. */
export function actionOfKey(event: KeyboardEvent, { selected, history }: Drawing): DrawingAction | undefined {
  const { key, ctrlKey, metaKey, shiftKey, target } = event;
  if (target instanceof HTMLElement && target.closest("input, textarea, [role=dialog]")) return undefined;
  if (ctrlKey || metaKey) {
    if (key.toLowerCase() === "y" || (key.toLowerCase() === "z" && shiftKey)) return { type: "redo" };
    return key.toLowerCase() === "z" ? { type: "undo" } : undefined;
  }
  const isOnButton = target instanceof HTMLElement && target.closest("button, a, [role=button]");
  if (history.present.drawnRing !== undefined && (key === "Escape" || (key === "Enter" && !isOnButton)))
    return { type: "finish" };
  if (key === "Escape" && selected) return { type: "select", at: undefined };
  if ((key === "Delete" || key === "Backspace") && selected && history.present.shape.type !== "circle")
    return { type: "remove", at: selected };
  return undefined;
}
