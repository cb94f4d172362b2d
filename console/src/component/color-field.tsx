import { ColorInput } from "@mantine/core";

/** The offered colors differ clearly from each other on light and dark maps. */
const SWATCHES = [
  "#27A9E3",
  "#1C7ED6",
  "#7048E8",
  "#C2255C",
  "#E03131",
  "#E8590C",
  "#F08C00",
  "#2F9E44",
  "#0C8599",
  "#5C6B7A",
];

type ColorFieldProps = { label: string; value: string; onChange(color: string): void; readOnly?: boolean };

/** A color as six hexadecimal digits, as the API has it. */
export function ColorField({ label, value, onChange, readOnly = false }: ColorFieldProps) {
  return (
    <ColorInput
      label={label}
      value={`#${value}`}
      format="hex"
      swatches={SWATCHES}
      swatchesPerRow={5}
      readOnly={readOnly}
      withEyeDropper={false}
      onChange={(color) => onChange(toDigits(color, value))}
    />
  );
}

function toDigits(color: string, last: string): string {
  return /^#[0-9a-f]{6}$/i.test(color) ? color.slice(1).toUpperCase() : last;
}
