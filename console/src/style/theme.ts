import { type CSSVariablesResolver, createTheme } from "@mantine/core";

/** Colours whose contrast suffices for WCAG 2.2 AA; the library's own shades are too light for texts. */
export const theme = createTheme({
  primaryColor: "blue",
  primaryShade: { light: 9, dark: 8 },
  defaultRadius: "md",
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
  headings: { fontWeight: "650" },
  cursorType: "pointer",
  respectReducedMotion: true,
});

export const resolveVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": colors.gray[7] ?? "",
    "--mantine-color-placeholder": colors.gray[7] ?? "",
    "--mantine-color-error": colors.red[9] ?? "",
    "--mantine-color-anchor": colors.blue[9] ?? "",
    "--page-background": colors.gray[0] ?? "",
    "--page-tint": colors.blue[1] ?? "",
    "--navigation-active": colors.blue[1] ?? "",
    "--table-header": colors.gray[1] ?? "",
    "--map-background": "#d3e4f2",
    "--status-moving": "#2b8a3e",
    "--status-stopped": "#d9480f",
    "--status-parked": "#1864ab",
    "--status-noSatellites": "#862e9c",
    "--status-offline": "#5c6b7a",
    "--status-waiting": "#868e96",
    "--status-blocked": "#c92a2a",
  },
  dark: {
    "--mantine-color-dimmed": colors.dark[1] ?? "",
    "--mantine-color-placeholder": colors.dark[1] ?? "",
    "--mantine-color-error": colors.red[4] ?? "",
    "--mantine-color-anchor": colors.blue[3] ?? "",
    // The library's own text of what deletes is nearly white.
    "--mantine-color-red-light-color": colors.red[4] ?? "",
    "--page-background": colors.dark[8] ?? "",
    "--page-tint": "#10243c",
    "--navigation-active": "#1c3350",
    "--table-header": colors.dark[6] ?? "",
    "--map-background": "#10181f",
    "--status-moving": "#51cf66",
    "--status-stopped": "#ff922b",
    "--status-parked": "#4dabf7",
    "--status-noSatellites": "#da77f2",
    "--status-offline": "#adb5bd",
    "--status-waiting": "#868e96",
    "--status-blocked": "#ff8787",
  },
});
