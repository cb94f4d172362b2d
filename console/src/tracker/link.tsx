import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";

/** The name of a tracker, which leads to its page. */
export function TrackerLink({ id, label }: { id: number; label: string }) {
  return (
    <Anchor component={Link} to={`/trackers/${id}`} inherit>
      <bdi>{label}</bdi>
    </Anchor>
  );
}
