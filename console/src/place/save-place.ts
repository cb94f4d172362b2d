import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { noticeSuccess } from "../component/notice.ts";
import type { Shape } from "../map/drawing/shape.ts";
import { toPosition } from "../map/drawing/wrap.ts";
import { call } from "../session/api.ts";
import { requireTags, type Tag, tagsQuery } from "../tag/queries.ts";
import { useTexts } from "../text/use-texts.tsx";
import { toFields } from "./custom-fields.tsx";
import type { PlaceMembers } from "./members.ts";
import { type CustomField, PLACE_KEY, type Place } from "./queries.ts";

type SavePlaceOptions = { place: Place | undefined; tags: Tag[]; customFields: CustomField[]; onSaved(): void };

/** Stores the place, with the tags that are new, and leads to the list. */
export function useSavePlace({ place, tags: known, customFields, onSaved }: SavePlaceOptions) {
  const texts = useTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    async mutationFn({ members, shape }: { members: PlaceMembers; shape: Shape }) {
      const label = members.label.trim();
      const center = toPosition(shape.rings[0]?.[0] ?? [0, 0]);
      const stored = {
        label,
        description: members.description,
        external_id: members.externalId.trim() || null,
        location: { ...center, address: members.address.trim(), radius: shape.radius },
        tags: await requireTags(members.tags, known),
        fields: toFields(members.fields, customFields),
      };
      if (place) await call("/place/update", { place: { ...stored, id: place.id } });
      else await call("/place/create", { place: stored });
      return label;
    },
    // New tags are there also if the rest failed: the next attempt must not make them again.
    onSettled: () => queries.invalidateQueries({ queryKey: tagsQuery.queryKey }),
    async onSuccess(label) {
      onSaved();
      noticeSuccess(texts.place.saved(label), texts);
      void queries.invalidateQueries({ queryKey: PLACE_KEY });
      await navigate({ to: "/places" });
    },
  });
}
