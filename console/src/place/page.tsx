import { Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
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
  // What is being edited does not change under the user's hands.
  const still = { staleTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false };
  const { data, error, refetch, isFetching } = useQuery({ ...placeQuery(Number(id)), ...still });
  if (error && !data) return <Refusal error={error} onRetry={() => void refetch()} />;
  if (!data || isFetching) return <Loader aria-label={frame.loading} />;
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
