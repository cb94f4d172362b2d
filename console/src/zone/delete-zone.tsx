import { Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { DeleteButton } from "../component/delete-button.tsx";
import { noticeSuccess } from "../component/notice.ts";
import { Refusal } from "../component/refusal.tsx";
import { ApiError, call } from "../session/api.ts";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { ZONE_KEY } from "./queries.ts";
import type { Zone } from "./zone-shape.ts";

/** Code of a zone that rules use. */
const IN_USE = 203;

/** Deletes a zone after a question; rules that use it are counted. */
export function DeleteZone({ zone, onDelete }: { zone: Zone; onDelete(): void }) {
  const texts = useTexts();
  const { zone: words } = texts;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call("/zone/delete", { zone_id: zone.id }),
    async onSuccess() {
      onDelete();
      noticeSuccess(words.deleted(zone.label), texts);
      void queries.invalidateQueries({ queryKey: [...ZONE_KEY, "list"] });
      await navigate({ to: "/zones" });
    },
  });
  const { deleteText: text, delete: action, cancel } = words;
  return (
    <DeleteButton
      texts={{ title: words.deleteTitle(zone.label), text, action, cancel }}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      <Failure error={remove.error} />
    </DeleteButton>
  );
}

function Failure({ error }: { error: unknown }) {
  const { zone: words } = useTexts();
  const format = useFormat();
  if (!error) return null;
  if (!(error instanceof ApiError) || error.code !== IN_USE) return <Refusal error={error} />;
  return (
    <Text size="sm" c="red" mt="sm" role="alert">
      {words.inUse(format.integer(ruleCountOf(error)))}
    </Text>
  );
}

function ruleCountOf({ answer }: ApiError): number {
  const { entities = [] } = answer as { entities?: { ids: number[] }[] }; // as the operation declares it
  return entities.reduce((sum, { ids }) => sum + ids.length, 0);
}
