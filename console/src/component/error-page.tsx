import { Button } from "@mantine/core";
import { IconAlertTriangle, IconRefresh } from "@tabler/icons-react";
import { useIsReachable } from "../session/connection.ts";
import { useTexts } from "../text/use-texts.tsx";
import { EmptyState } from "./empty-state.tsx";
import { Refusal } from "./refusal.tsx";

/** Messages of browsers for a module that is missing on the server; a release replaces all hashed files. */
const MISSING_MODULE = /dynamically imported module|Importing a module script failed|error loading dynamically/i;

/** Stands in for a page that failed: the frame around it goes on, so that the page is never blank. */
export function ErrorPage({ error }: { error: unknown }) {
  const { refusal } = useTexts();
  const isReachable = useIsReachable();
  const isOutdated = error instanceof Error && MISSING_MODULE.test(`${error.message}`);
  if (isOutdated && !isReachable) return <Refusal error={error} onRetry={() => location.reload()} />;
  const { title, text } = isOutdated ? refusal.outdated : refusal.crash;
  return (
    <EmptyState
      icon={isOutdated ? IconRefresh : IconAlertTriangle}
      title={title}
      text={text}
      action={<Button onClick={() => location.reload()}>{refusal.reload}</Button>}
    />
  );
}
