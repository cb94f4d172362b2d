import type { TrackPaint } from "../map/track-layers.ts";

export const COLOR_MODES = ["speed", "state", "vehicle"] as const;
export type ColorMode = (typeof COLOR_MODES)[number];

/** Colours of the classes of speed. Lines of faster classes are wider, too: colour alone would not be seen by everybody. */
export const SPEED_COLORS = ["#868e96", "#1c7ed6", "#0ca678", "#f08c00", "#d6336c"] as const;
const SPEED_WIDTHS = [2.5, 3, 4, 5, 6.5] as const;
export const STATE_COLORS = { moving: "#2b8a3e", stopped: "#d9480f" };
/** Colours of vehicles in the order in which they were chosen. Their names stand along the lines. */
export const VEHICLE_COLORS = [
  ...["#1971c2", "#e8590c", "#2f9e44", "#c2255c", "#7048e8"],
  ...["#0c8599", "#b08900", "#862e9c", "#5c940d", "#495057"],
] as const;

export function vehicleColor(index: number): string {
  return VEHICLE_COLORS[index % VEHICLE_COLORS.length] ?? VEHICLE_COLORS[0];
}

/** How the map draws lines with the properties of `segments.ts`. */
export function paintOf(mode: ColorMode): TrackPaint {
  const [slowest, ...faster] = SPEED_COLORS;
  const [narrowest, ...wider] = SPEED_WIDTHS;
  if (mode === "speed")
    return {
      color: ["step", ["get", "speed"], slowest, ...faster.flatMap((color, index) => [index + 1, color])],
      width: ["step", ["get", "speed"], narrowest, ...wider.flatMap((width, index) => [index + 1, width])],
    };
  if (mode === "state")
    return {
      color: ["case", ["==", ["get", "speed"], 0], STATE_COLORS.stopped, STATE_COLORS.moving],
      width: ["case", ["==", ["get", "speed"], 0], 7, 4],
    };
  const [first, ...others] = VEHICLE_COLORS;
  return {
    color: ["step", ["get", "vehicle"], first, ...others.flatMap((color, index) => [index + 1, color])],
    width: 4,
  };
}
