import { ActionIcon, TextInput, type TextInputProps } from "@mantine/core";
import { IconSearch, IconX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useTexts } from "../text/use-texts.tsx";
import { useSearchParams } from "./use-search-params.ts";

type SearchFieldProps = Pick<TextInputProps, "flex" | "maw" | "mb" | "miw"> & { label: string; placeholder?: string };

/**
 * The text that the page searches for, `q` in the address. It is kept beside the address while the user types: a browser limits
 * how often the address may change.
 */
export function SearchField({ label, placeholder = label, ...layout }: SearchFieldProps) {
  const { list } = useTexts();
  const [search, change] = useSearchParams();
  const [text, setText] = useState(search.q ?? "");
  useEffect(() => setText(search.q ?? ""), [search.q]);
  const apply = (next: string) => {
    setText(next);
    change({ q: next || undefined });
  };
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={text}
      onChange={(event) => apply(event.currentTarget.value)}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text && (
          <ActionIcon variant="subtle" color="gray" aria-label={list.clearSearch} onClick={() => apply("")}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        )
      }
      {...layout}
    />
  );
}
