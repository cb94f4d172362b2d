import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { DeleteButton } from "../component/delete-button.tsx";
import { noticeSuccess } from "../component/notice.ts";
import { Refusal } from "../component/refusal.tsx";
import { call } from "../session/api.ts";
import { useTexts } from "../text/use-texts.tsx";
import { PLACE_KEY, type Place } from "./queries.ts";

type ButtonsProps = { place: Place | undefined; canSave: boolean; isSaving: boolean; onDelete(): void };

export function PlaceButtons({ place, canSave, isSaving, onDelete }: ButtonsProps) {
  const { place: words } = useTexts();
  return (
    <>
      <Button type="submit" disabled={!canSave} loading={isSaving}>
        {words.save}
      </Button>
      <Button component={Link} to="/places" variant="default">
        {words.cancel}
      </Button>
      {place && <DeletePlace place={place} onDelete={onDelete} />}
    </>
  );
}

function DeletePlace({ place, onDelete }: { place: Place; onDelete(): void }) {
  const texts = useTexts();
  const { place: words } = texts;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call("/place/delete", { place_id: place.id }),
    async onSuccess() {
      onDelete();
      noticeSuccess(words.deleted(place.label), texts);
      void queries.invalidateQueries({ queryKey: [...PLACE_KEY, "list"] });
      await navigate({ to: "/places" });
    },
  });
  const { deleteText: text, delete: action, cancel } = words;
  return (
    <DeleteButton
      texts={{ title: words.deleteTitle(place.label), text, action, cancel }}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      {remove.error && <Refusal error={remove.error} />}
    </DeleteButton>
  );
}
