import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useSession } from "../session/session.ts";
import { renew } from "./subscription.ts";

/** Opens the events whose notifications are pressed, and keeps the notifications of this browser when the session changes. */
export function OpenedNotifications() {
  const navigate = useNavigate();
  const { status } = useSession();
  useEffect(() => {
    // A failure is not shown here: the page of settings shows whether notifications are switched on.
    if (status === "open") void renew().catch(() => undefined);
  }, [status]);
  useEffect(() => {
    const { serviceWorker } = navigator;
    const open = ({ data }: MessageEvent<{ open?: string }>) => {
      if (data.open?.startsWith("/events")) void navigate({ href: data.open });
    };
    serviceWorker?.addEventListener("message", open);
    return () => serviceWorker?.removeEventListener("message", open);
  }, [navigate]);
  return null;
}
