import { useQuery } from "@tanstack/react-query";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import styles from "./badge.module.css";
import { unreadQuery } from "./queries.ts";

const MAX_SHOWN = 999;

/** The number of unread events, beside their line of the navigation. */
export function UnreadBadge() {
  const { event: words } = useTexts();
  const format = useFormat();
  const { data: count = 0 } = useQuery(unreadQuery);
  if (count === 0) return null;
  return (
    <span className={styles.badge} aria-label={words.unreadCount(format.integer(count))} role="img">
      {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}
    </span>
  );
}
