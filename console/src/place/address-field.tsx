import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Refusal } from "../component/refusal.tsx";
import { call, codeOf } from "../session/api.ts";
import { useLanguage, useTexts } from "../text/use-texts.tsx";

const MAX_CHARS = 255;
const MAX_RESULTS = 5;
/** Code of an address that no geocoder knows. */
const UNKNOWN = 210;

type AddressFieldProps = {
  value: string;
  isReadOnly: boolean;
  onChange(address: string): void;
  onPosition(position: { lat: number; lng: number }): void;
};

/** The address of a place; a search for it answers positions, of which the user chooses one. */
export function AddressField({ value, isReadOnly, onChange, onPosition }: AddressFieldProps) {
  const { place: words } = useTexts();
  const { language } = useLanguage();
  const search = useMutation({
    mutationFn: async (q: string) => {
      const { locations } = await call("/geocoder/search_address", { q, lang: language });
      return locations.slice(0, MAX_RESULTS);
    },
    onSuccess: ([first, ...others]) => {
      if (first && others.length === 0) onPosition(first);
    },
  });
  const isUnknown = codeOf(search.error) === UNKNOWN || search.data?.length === 0;
  return (
    <Stack gap={6}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label={words.address}
          flex={1}
          maxLength={MAX_CHARS}
          value={value}
          readOnly={isReadOnly}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <Button
          variant="default"
          disabled={isReadOnly || value.trim() === ""}
          loading={search.isPending}
          onClick={() => search.mutate(value.trim())}
        >
          {words.find}
        </Button>
      </Group>
      {isUnknown && (
        <Text size="sm" role="status">
          {words.notFound}
        </Text>
      )}
      {search.error && !isUnknown && <Refusal error={search.error} />}
      {search.data && search.data.length > 1 && (
        <Stack gap={4} role="group" aria-label={words.results}>
          {search.data.map((found) => (
            <Button
              key={`${found.lat} ${found.lng}`}
              variant="light"
              size="compact-sm"
              justify="flex-start"
              onClick={() => onPosition(found)}
            >
              {found.address}
            </Button>
          ))}
        </Stack>
      )}
    </Stack>
  );
}
