import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { AskDialog } from "../component/ask-dialog.tsx";
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
  const [isAsking, setAsking] = useState(false);
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
  return (
    <>
      <Button variant="subtle" color="red" ms="auto" onClick={() => setAsking(true)}>
        {words.delete}
      </Button>
      {isAsking && (
        <AskDialog
          {...{ title: words.deleteTitle(place.label), text: words.deleteText, action: words.delete }}
          {...{ cancel: words.cancel, isBusy: remove.isPending }}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          {remove.error && <Refusal error={remove.error} />}
        </AskDialog>
      )}
    </>
  );
}
