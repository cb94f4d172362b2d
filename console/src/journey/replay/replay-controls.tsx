import { ActionIcon, Checkbox, Group, NativeSelect, SegmentedControl, Text } from "@mantine/core";
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useSearchParams } from "../../component/use-search-params.ts";
import type { Format } from "../../format/format.ts";
import { useFormat } from "../../session/user.tsx";
import { useTexts } from "../../text/use-texts.tsx";
import { COLOR_MODES, type ColorMode, SPEED_COLORS, STATE_COLORS } from "../colors.ts";
import styles from "../journey.module.css";
import { SPEED_CLASSES } from "../track/segments.ts";
import type { TripTimes } from "../track/track.ts";
import { RATES, type ReplayClock } from "./replay-clock.ts";
import { replayNow, useClock, useIsPlaying } from "./use-replay.ts";

type ReplayControlsProps = { clock: ReplayClock; range: TripTimes; colorMode: ColorMode };

const STEP_MS = 10_000;

/** Plays, pauses, and goes to any moment of the period; chooses the pace and the colours. */
export function ReplayControls({ clock, range, colorMode }: ReplayControlsProps) {
  const { journey: words } = useTexts();
  const [search, change] = useSearchParams();
  const isPlaying = useIsPlaying(clock);
  const rate = useClock(clock, () => clock.rate);
  return (
    <div className={styles.controls}>
      <Group gap="xs">
        <ActionIcon
          size={38}
          radius="xl"
          aria-label={isPlaying ? words.pause : words.play}
          onClick={() => (isPlaying ? clock.pause(replayNow()) : clock.play(replayNow()))}
        >
          {isPlaying ? <IconPlayerPauseFilled size={20} aria-hidden /> : <IconPlayerPlayFilled size={20} aria-hidden />}
        </ActionIcon>
        <MomentSlider clock={clock} range={range} />
      </Group>
      <Group gap="sm" justify="space-between">
        <Group gap="sm">
          <NativeSelect
            size="xs"
            aria-label={words.rate}
            value={String(rate)}
            onChange={(event) => change({ rate: event.currentTarget.value })}
            data={RATES.map((one) => ({ value: String(one), label: `×${one}` }))}
          />
          <Checkbox
            size="xs"
            label={words.skipStays}
            checked={search.stays !== "1"}
            onChange={(event) => change({ stays: event.currentTarget.checked ? undefined : "1" })}
          />
        </Group>
        <SegmentedControl
          size="xs"
          aria-label={words.color}
          value={colorMode}
          onChange={(color) => change({ color: color === "speed" ? undefined : color })}
          data={COLOR_MODES.map((value) => ({ value, label: words.colors[value] }))}
        />
      </Group>
      <Legend colorMode={colorMode} />
    </div>
  );
}

/** Follows the clock without rendering anew: it moves with every frame. */
function MomentSlider({ clock, range }: { clock: ReplayClock; range: TripTimes }) {
  const { journey: words } = useTexts();
  const format = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const output = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    const show = (time: number) => {
      if (!input.current || !output.current) return;
      const text = nameMoment(time, format);
      input.current.value = String(time);
      input.current.setAttribute("aria-valuetext", text);
      output.current.textContent = text;
    };
    show(clock.time);
    return clock.onChange(show);
  }, [clock, format]);
  return (
    <>
      <input
        ref={input}
        type="range"
        className={styles.slider}
        aria-label={words.moment}
        min={range.from}
        max={range.to}
        step={STEP_MS}
        defaultValue={clock.time}
        onChange={(event) => clock.seek(Number(event.currentTarget.value), replayNow())}
      />
      <output ref={output} className={styles.moment} aria-live="off" />
    </>
  );
}

function nameMoment(time: number, format: Format) {
  return `${format.date(time)}, ${format.timeWithSeconds(time)}`;
}

/** The meanings of the colours. Widths of lines on the map say the same. */
function Legend({ colorMode }: { colorMode: ColorMode }) {
  const { journey: words } = useTexts();
  const { speed } = useFormat();
  if (colorMode === "vehicle") return null;
  const speeds = SPEED_CLASSES.map((bound, index) => {
    const next = SPEED_CLASSES[index + 1];
    if (index === 0) return words.legend.standing;
    return next === undefined ? words.legend.above(speed(bound)) : words.legend.below(speed(next));
  });
  const entries: [color: string, text: string][] =
    colorMode === "speed"
      ? speeds.map((text, index) => [SPEED_COLORS[index] ?? "", text])
      : [
          [STATE_COLORS.moving, words.inTrip.moving],
          [STATE_COLORS.stopped, words.inTrip.stopped],
        ];
  return (
    <ul className={styles.legend} aria-label={words.color}>
      {entries.map(([color, text], index) => (
        <li key={text}>
          <span
            className={styles.stroke}
            style={{ background: color, height: colorMode === "speed" ? 3 + index : index * 3 + 4 }}
            aria-hidden
          />
          <Text component="span" size="xs">
            {text}
          </Text>
        </li>
      ))}
    </ul>
  );
}
