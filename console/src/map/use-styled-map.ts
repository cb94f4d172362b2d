import { useComputedColorScheme } from "@mantine/core";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useUser } from "../session/user.tsx";
import { loadStyle } from "./load-style.ts";
import { scaleUnitOf, useStyleChoice } from "./map-controls.tsx";
import type { StyledMap, StyledMapOptions } from "./styled-map.ts";

/** A map and what its frame shows: `map` is undefined until the first style is loaded. */
export type UsedMap<View extends StyledMap> = {
  map: View | undefined;
  container: RefObject<HTMLDivElement | null>;
  style: ReturnType<typeof useStyleChoice>;
  /** The chosen style could not be loaded, and the built-in one is shown. */
  isFallback: boolean;
  /** The built-in base map could not be loaded. */
  hasFailed: boolean;
};

/** Creates a map once its style is loaded, gives it another style when the user or the theme changes, and removes it. */
export function useStyledMap<View extends StyledMap>(
  label: string,
  create: (options: StyledMapOptions) => View,
): UsedMap<View> {
  const theme = useComputedColorScheme("light");
  const unit = scaleUnitOf(useUser().info.user_info.measurement_system);
  const style = useStyleChoice();
  const container = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<View>();
  const [outcome, setOutcome] = useState({ isFallback: false, hasFailed: false });
  const current = useRef<View>(undefined);
  const createIn = (element: HTMLElement) =>
    create({
      ...{ container: element, label, unit },
      onBase: (hasFailed) => setOutcome((last) => ({ ...last, hasFailed })),
    });
  const latest = useRef(createIn);
  latest.current = createIn;
  const { choice } = style;
  useEffect(() => {
    if (choice === null) return;
    let isOver = false;
    void loadStyle(choice, theme).then(({ style, isFallback }) => {
      if (isOver || !container.current) return;
      setOutcome({ isFallback, hasFailed: false });
      current.current ??= latest.current(container.current);
      current.current.setStyle(style, theme);
      setMap(current.current);
    });
    return () => {
      isOver = true;
    };
  }, [choice, theme]);
  useEffect(
    () => () => {
      current.current?.remove();
      current.current = undefined;
    },
    [],
  );
  return { map, container, style, ...outcome };
}
