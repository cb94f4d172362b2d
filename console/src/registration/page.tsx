import { Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { BackLink } from "../component/back-link.tsx";
import { PageHeader } from "../component/page-header.tsx";
import { Refusal } from "../component/refusal.tsx";
import { useSearchParams } from "../component/use-search-params.ts";
import { useUser } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { type Tracker, trackerQuery } from "../tracker/queries.ts";
import { ConnectStep } from "./connect-step.tsx";
import { RegisterStep } from "./register-step.tsx";
import { isWay, type Way } from "./ways.ts";

/** Registers a tracker step by step. The address has the step, so that a reload goes on where it was. */
export function RegistrationPage() {
  const { registration: words, tracker: trackerWords, refusal } = useTexts();
  const [search, change] = useSearchParams();
  const { can } = useUser();
  const [key, setKey] = useState<string>();
  const way = isWay(search.way) ? search.way : undefined;
  const begin = (tracker: Tracker, chosen: Way, newKey: string | undefined) => {
    setKey(newKey);
    change({ tracker: `${tracker.id}`, way: chosen });
  };
  return (
    <>
      <PageHeader
        title={words.title}
        subtitle={words.subtitle}
        above={<BackLink to="/trackers" label={trackerWords.details.all} />}
      />
      {!can("tracker_register") ? (
        <p>{refusal.right.text}</p>
      ) : search.tracker && way ? (
        <Connect id={Number(search.tracker)} {...{ way, ingestKey: key }} />
      ) : (
        <RegisterStep onDone={begin} />
      )}
    </>
  );
}

function Connect({ id, way, ingestKey }: { id: number; way: Way; ingestKey: string | undefined }) {
  const { frame } = useTexts();
  const { data, error, refetch } = useQuery(trackerQuery(id));
  if (error) return <Refusal error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label={frame.loading} />;
  return <ConnectStep tracker={data} {...{ way, ingestKey }} />;
}
