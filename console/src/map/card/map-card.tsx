import { CloseButton, Group, Title } from "@mantine/core";
import { Popup } from "maplibre-gl";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useTexts } from "../../text/use-texts.tsx";
import type { StyledMap } from "../styled-map.ts";
import styles from "./map-card.module.css";
import { PADDING_PX, showWhole } from "./show-whole.ts";

type MapCardProps = {
  map: StyledMap;
  /** Where the card points to. Another object, be it of the same place, shows the card whole and gives it the focus. */
  location: { lng: number; lat: number };
  title: string;
  onClose(): void;
  children: ReactNode;
};

/** Half a mark, so that the card does not cover the mark that it is about. */
const OFFSET_PX = 14;

/** A card about what is at a place of a map. It takes the focus; Escape and its button give the focus back. */
export function MapCard({ map, location, title, onClose, children }: MapCardProps) {
  const { frame } = useTexts();
  const [content] = useState(() => document.createElement("div"));
  const card = useRef<HTMLElement>(null);
  const popup = useRef<Popup>(undefined);
  const focusedBefore = useRef<Element>(null);
  const latestClose = useRef(onClose);
  latestClose.current = onClose;
  const titleId = useId();
  const { lng, lat } = location;
  useEffect(() => {
    const shown = new Popup({
      ...{ closeButton: false, focusAfterOpen: false, maxWidth: "none", className: styles.popup ?? "" },
      ...{ offset: OFFSET_PX, padding: PADDING_PX },
    });
    shown.setLngLat([lng, lat]).setDOMContent(content).addTo(map.view);
    popup.current = shown;
    // A press on the map beside the card closes it.
    const close = () => latestClose.current();
    shown.on("close", close);
    const show = () => showWhole(shown, map.view);
    const sizes = new ResizeObserver(show);
    sizes.observe(content);
    map.view.on("resize", show);
    return () => {
      sizes.disconnect();
      map.view.off("resize", show);
      shown.off("close", close);
      shown.remove();
    };
  }, [map, content, lng, lat]);
  useEffect(() => {
    if (!content.contains(document.activeElement)) focusedBefore.current = document.activeElement;
    // The browser would scroll the map's own frame to a card that the map is about to move.
    card.current?.focus({ preventScroll: true });
    map.view.getContainer().scrollIntoView({ block: "nearest" });
    // With the next frame the map moves to a place that was chosen, be it the same one once more.
    const frame = requestAnimationFrame(() => popup.current && showWhole(popup.current, map.view));
    return () => cancelAnimationFrame(frame);
  }, [map, content, location]);
  const closeAndReturn = () => {
    const { current } = focusedBefore;
    if (current instanceof HTMLElement) current.focus();
    onClose();
  };
  return createPortal(
    <section
      ref={card}
      role="dialog"
      aria-labelledby={titleId}
      tabIndex={-1}
      className={styles.card}
      onKeyDown={(event) => {
        // Keys of a dialog above the card come here, too.
        const isOwn = event.target instanceof Node && content.contains(event.target);
        if (event.key === "Escape" && isOwn) closeAndReturn();
      }}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs" mb="xs">
        <Title order={2} size="h5" id={titleId} className={styles.title}>
          {title}
        </Title>
        <CloseButton aria-label={frame.close} onClick={closeAndReturn} />
      </Group>
      {children}
    </section>,
    content,
  );
}
