import { Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { LOADED_ONCE } from "../component/loaded-once.ts";
import { Refusal } from "../component/refusal.tsx";
import { tagsQuery } from "../tag/queries.ts";
import { useTexts } from "../text/use-texts.tsx";
import { PlaceEditor } from "./editor.tsx";
import { customFieldsQuery, placeQuery } from "./queries.ts";

/** Creates a place. */
export function NewPlacePage() {
  return <LoadedEditor place={undefined} />;
}

/** Changes a place. */
export function PlacePage() {
  const { frame } = useTexts();
  const { id = "" } = useParams({ strict: false });
  const { data, error, refetch } = useQuery({ ...placeQuery(Number(id)), ...LOADED_ONCE });
  if (error && !data) return <Refusal error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label={frame.loading} />;
  return <LoadedEditor key={id} place={data} />;
}

function LoadedEditor({ place }: Pick<Parameters<typeof PlaceEditor>[0], "place">) {
  const { frame } = useTexts();
  const tags = useQuery(tagsQuery);
  const fields = useQuery(customFieldsQuery);
  const error = tags.error ?? fields.error;
  if (error && !(tags.data && fields.data))
    return <Refusal error={error} onRetry={() => void Promise.all([tags.refetch(), fields.refetch()])} />;
  if (!tags.data || !fields.data) return <Loader aria-label={frame.loading} />;
  return <PlaceEditor place={place} tags={tags.data} customFields={fields.data} />;
}
