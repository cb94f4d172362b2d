import { notifications } from "@mantine/notifications";
import type { Texts } from "../text/texts.ts";
import { explain } from "./explain-refusal.ts";

const SHORT_MS = 2_500;

/** Says for a moment that something was done. */
export function noticeSuccess(message: string, { frame }: Texts) {
  notifications.show({ message, color: "teal", autoClose: SHORT_MS, closeButtonProps: { "aria-label": frame.close } });
}

/** Says why something was not done. */
export function noticeFailure(thrown: unknown, texts: Texts) {
  const { title, text } = explain(thrown, texts);
  notifications.show({ title, message: text, color: "red", closeButtonProps: { "aria-label": texts.frame.close } });
}
