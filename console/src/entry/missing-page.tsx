import { Button } from "@mantine/core";
import { IconMapQuestion } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { EmptyState } from "../component/empty-state.tsx";
import { useTexts } from "../text/use-texts.tsx";

/** Stands at addresses that no page has. */
export function MissingPage() {
  const { pageMissing } = useTexts().frame;
  return (
    <EmptyState
      icon={IconMapQuestion}
      title={pageMissing.title}
      text={pageMissing.text}
      action={
        <Button component={Link} to="/">
          {pageMissing.action}
        </Button>
      }
    />
  );
}
