import { ActionIcon, CloseButton, Loader, Menu, Stack, Text, useComputedColorScheme } from "@mantine/core";
import { IconFocusCentered, IconMinus, IconPlus, IconStack2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { LiveStates } from "../live/live-states.ts";
import type { LiveObject } from "../live/objects.ts";
import { useSaveConsoleSettings, useUser } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { loadStyle, type MapStyle } from "./load-style.ts";
import styles from "./map.module.css";
import { ObjectMap, type ObjectMapOptions } from "./object-map.ts";
import { mapStylesQuery } from "./queries.ts";
import "maplibre-gl/dist/maplibre-gl.css";

export type MapViewProps = {
  states: LiveStates;
  objects: LiveObject[];
  selected: LiveObject | undefined;
  isFollowing: boolean;
  onSelect(id: number): void;
  onCluster(ids: number[]): void;
  onMoved(): void;
};

const BUILT_IN = "built-in";

/** The map with the objects. Its list beside it says the same to people who cannot use a map. */
export function ObjectMapView(props: MapViewProps) {
  const { map: words } = useTexts();
  const container = useRef<HTMLDivElement>(null);
  const [choice, offered, choose] = useStyleChoice();
  const { map, isFallback, hasFailed } = useObjectMap(container, choice, props);
  return (
    <div className={styles.frame}>
      <div ref={container} className={styles.map} data-ready={map ? true : undefined} />
      {!map && !hasFailed && <Loader className={styles.loader} aria-label={words.loading} />}
      {hasFailed && <Notice text={words.failed} />}
      {isFallback && <Notice text={words.fallback} />}
      <Stack className={styles.controls} gap={6}>
        <Control label={words.zoomIn} icon={IconPlus} onClick={() => map?.view.zoomIn()} />
        <Control label={words.zoomOut} icon={IconMinus} onClick={() => map?.view.zoomOut()} />
        <Control label={words.showAll} icon={IconFocusCentered} onClick={() => map?.fit(props.objects)} />
        {offered.length > 0 && (
          <Menu position="left-start">
            <Menu.Target>
              <ActionIcon variant="default" size={36} aria-label={words.style}>
                <IconStack2 size={18} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.RadioGroup value={choice?.name ?? BUILT_IN} onChange={choose}>
                {offered.map(({ name }) => (
                  <Menu.RadioItem key={name} value={name}>
                    {name}
                  </Menu.RadioItem>
                ))}
                <Menu.RadioItem value={BUILT_IN}>{words.builtIn}</Menu.RadioItem>
              </Menu.RadioGroup>
            </Menu.Dropdown>
          </Menu>
        )}
      </Stack>
    </div>
  );
}

export function Notice({ text }: { text: string }) {
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

export function Control(props: { label: string; icon: typeof IconPlus; onClick(): void }) {
  const { label, icon: Icon, onClick } = props;
  return (
    <ActionIcon variant="default" size={36} aria-label={label} title={label} onClick={onClick}>
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
}

/** The style that the user has chosen; the first one of this installation until then. Undefined is the built-in one. */
export function useStyleChoice(): [MapStyle | undefined | null, MapStyle[], (name: string) => void] {
  const { own } = useUser();
  const save = useSaveConsoleSettings();
  const { data, isPending } = useQuery(mapStylesQuery);
  const offered = data ?? [];
  const wanted = own.mapStyle ?? offered[0]?.name;
  const choice = isPending ? null : offered.find(({ name }) => name === wanted);
  return [choice, offered, (mapStyle) => void save({ mapStyle })];
}

/** Creates the map once its style is loaded, and keeps it up to date. */
function useObjectMap(
  container: React.RefObject<HTMLDivElement | null>,
  choice: MapStyle | undefined | null,
  props: MapViewProps,
) {
  const theme = useComputedColorScheme("light");
  const { map: words } = useTexts();
  const unit = unitOf(useUser().info.user_info.measurement_system);
  const [map, setMap] = useState<ObjectMap>();
  const [outcome, setOutcome] = useState({ isFallback: false, hasFailed: false });
  const current = useRef<ObjectMap>(undefined);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (choice === null) return;
    let isOver = false;
    void loadStyle(choice, theme).then(
      ({ style, isFallback }) => {
        if (isOver || !container.current) return;
        setOutcome({ isFallback, hasFailed: false });
        if (!current.current) {
          current.current = createMap(container.current, latest, { label: words.label, unit });
          setMap(current.current);
        }
        current.current.setStyle(style, theme);
      },
      () => setOutcome({ isFallback: false, hasFailed: true }),
    );
    return () => {
      isOver = true;
    };
  }, [choice, theme, container, words, unit]);
  useEffect(
    () => () => {
      current.current?.remove();
      current.current = undefined;
    },
    [],
  );
  const { objects, selected, isFollowing, states } = props;
  useEffect(() => map?.setObjects(objects), [map, objects]);
  useEffect(() => map?.select(selected, isFollowing), [map, selected, isFollowing]);
  useFirstFit(map, states, latest);
  return { map, ...outcome };
}

type Labels = Pick<ObjectMapOptions, "label" | "unit">;

export function unitOf(measurement: string): Labels["unit"] {
  if (measurement === "nautical") return "nautical";
  return measurement.startsWith("metric") ? "metric" : "imperial";
}

function createMap(container: HTMLElement, latest: React.RefObject<MapViewProps>, labels: Labels): ObjectMap {
  return new ObjectMap({
    ...{ ...labels, container, states: latest.current.states },
    onSelect: (id) => latest.current.onSelect(id),
    onCluster: (ids) => latest.current.onCluster(ids),
    onMoved: () => latest.current.onMoved(),
  });
}

/** Shows all objects as soon as the first states are there, unless the address names one of them. */
function useFirstFit(map: ObjectMap | undefined, states: LiveStates, latest: React.RefObject<MapViewProps>) {
  const isDone = useRef(false);
  useEffect(() => {
    if (!map) return;
    const fit = () => {
      const { objects, selected, isFollowing } = latest.current;
      if (isDone.current || states.version === 0 || objects.length === 0) return;
      isDone.current = true;
      map.fit(selected ? [selected] : objects, true);
      map.select(selected, isFollowing);
    };
    fit();
    return states.onChange(() => requestAnimationFrame(fit));
  }, [map, states, latest]);
}
