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
  },
  dark: {
    "--mantine-color-dimmed": colors.dark[1] ?? "",
    "--mantine-color-placeholder": colors.dark[1] ?? "",
    "--mantine-color-error": colors.red[4] ?? "",
    "--mantine-color-anchor": colors.blue[3] ?? "",
    "--page-background": colors.dark[8] ?? "",
    "--page-tint": "#10243c",
    "--navigation-active": "#1c3350",
    "--table-header": colors.dark[6] ?? "",
  },
});
