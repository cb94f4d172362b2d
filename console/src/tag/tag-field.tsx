import { TagsInput } from "@mantine/core";
import { useUser } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import type { Tag } from "./queries.ts";

const MAX_NAME_CHARS = 64;

type TagFieldProps = { tags: Tag[]; value: string[]; onChange(names: string[]): void; readOnly?: boolean };

/** The names of an object's tags; a user who may do so makes new tags by typing their names. */
export function TagField({ tags, value, onChange, readOnly = false }: TagFieldProps) {
  const { drawing } = useTexts();
  const mayCreate = useUser().can("tag_update");
  const names = tags.map(({ name }) => name);
  return (
    <TagsInput
      label={drawing.tags}
      {...(mayCreate && !readOnly ? { description: drawing.tagsHint } : {})}
      data={[...new Set(names)]}
      value={value}
      readOnly={readOnly}
      onChange={(chosen) =>
        onChange(
          chosen
            .map((name) => name.trim().slice(0, MAX_NAME_CHARS))
            .filter((name) => name && (mayCreate || names.includes(name))),
        )
      }
    />
  );
}
