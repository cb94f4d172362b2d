import { Anchor } from "@mantine/core";
import { IconChevronLeft } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";

type BackLinkProps = { to: "/places" | "/retranslators" | "/rules" | "/trackers" | "/zones"; label: string };

/** Leads from the page of a thing to the list of all. */
export function BackLink({ to, label }: BackLinkProps) {
  return (
    <Anchor component={Link} to={to} size="sm" display="inline-flex" style={{ alignItems: "center" }}>
      <IconChevronLeft size={14} aria-hidden /> {label}
    </Anchor>
  );
}
