import type { StyleSpecification } from "maplibre-gl";
import { baseStyle, type Theme } from "./base/style.ts";

/** How long a style of another host may take before the built-in map is shown instead. */
const MAX_WAIT_MS = 3_000;

export type MapStyle = { name: string; url: string };
export type LoadedStyle = { style: StyleSpecification; isFallback: boolean };

/** Loads a style of another host, else the built-in one, also where the other host does not answer. */
export async function loadStyle(wanted: MapStyle | undefined, theme: Theme): Promise<LoadedStyle> {
  const style = wanted && (await readStyle(wanted.url));
  if (style) return { style, isFallback: false };
  return { style: baseStyle(theme), isFallback: wanted !== undefined };
}

async function readStyle(url: string): Promise<StyleSpecification | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(MAX_WAIT_MS) });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}
