import { ActionIcon, CloseButton, Text } from "@mantine/core";
import type { TablerIcon } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSaveConsoleSettings, useUser } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import type { MapStyle } from "./load-style.ts";
import styles from "./map.module.css";
import { mapStylesQuery } from "./queries.ts";

/** `choice`: undefined is the built-in map, null while the offered styles are not known yet. */
export type StyleChoice = { choice: MapStyle | undefined | null; offered: MapStyle[]; choose(name: string): void };

export function MapNotice({ text }: { text: string }) {
  const { frame } = useTexts();
  const [isOpen, setOpen] = useState(true);
  if (!isOpen) return null;
  return (
    <div className={styles.notice} role="status">
      <Text size="sm">{text}</Text>
      <CloseButton size="sm" aria-label={frame.close} onClick={() => setOpen(false)} />
    </div>
  );
}

export function MapControl(props: { label: string; icon: TablerIcon; onClick(): void }) {
  const { label, icon: Icon, onClick } = props;
  return (
    <ActionIcon variant="default" size={36} aria-label={label} title={label} onClick={onClick}>
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
}

/** The style that the user has chosen; the first one of this installation until then. Undefined is the built-in one. */
export function useStyleChoice(): StyleChoice {
  const { own } = useUser();
  const save = useSaveConsoleSettings();
  const { data, isPending } = useQuery(mapStylesQuery);
  const offered = data ?? [];
  const wanted = own.mapStyle ?? offered[0]?.name;
  const choice = isPending ? null : offered.find(({ name }) => name === wanted);
  return { choice, offered, choose: (mapStyle) => void save({ mapStyle }) };
}

/** The unit of a map's scale. */
export function scaleUnitOf(measurement: string): "metric" | "imperial" | "nautical" {
  if (measurement === "nautical") return "nautical";
  return measurement.startsWith("metric") ? "metric" : "imperial";
}
