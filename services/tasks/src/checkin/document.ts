import type { Column, Picture, TableDocument } from "#shared/contract/file/table-document.ts";
import type { Preview } from "#shared/contract/files.ts";
import { type Language, languageOf } from "#shared/text/language.ts";
import { type Clock, writeLocal } from "#shared/time/clock.ts";
import type { PublicCheckin } from "./schema.ts";

type CheckinDocumentData = {
  rows: PublicCheckin[];
  /** Current labels by tracker id. */
  labels: Map<number, string>;
  /** Previews of the check-ins' photos. */
  previews: Preview[];
};

/**
 * A table with a row per check-in, then the photos, each under its check-in's time and tracker. Times are in the user's
 * zone.
 */
export function toCheckinDocument(
  { rows, labels, previews }: CheckinDocumentData,
  locale: string,
  { now, zone }: Pick<Clock, "now" | "zone">,
): TableDocument {
  const words = WORDS[languageOf(locale)];
  const columns: Column[] = [
    { title: words.marker_time, kind: "short" },
    { title: words.tracker, kind: "text" },
    { title: words.employee, kind: "text" },
    { title: words.location, kind: "text" },
    { title: words.comment, kind: "text" },
    { title: words.form, kind: "text" },
    { title: words.files, kind: "number" },
  ];
  const cells = rows.map((row) => [
    writeLocal(row.marker_time, zone),
    labels.get(row.tracker_id) ?? "",
    row.employee_name,
    row.location.address || `${row.location.lat}, ${row.location.lng}`,
    row.comment,
    row.form_label,
    row.file_ids.length,
  ]);
  const owners = new Map(rows.flatMap((row) => row.file_ids.map((id) => [id, row])));
  const pictures = previews.map(({ id, jpeg }): Picture => ({ caption: toCaption(owners.get(id)), jpeg }));
  return {
    title: words.title,
    subtitle: writeLocal(now(), zone),
    columns,
    groups: [{ heading: null, rows: cells }],
    pictures,
  };

  function toCaption(row: PublicCheckin | undefined) {
    return row
      ? [writeLocal(row.marker_time, zone), labels.get(row.tracker_id), row.employee_name].filter(Boolean).join(", ")
      : "";
  }
}

const WORDS = {
  en: {
    title: "Check-ins",
    marker_time: "Time",
    tracker: "Tracker",
    employee: "Employee",
    location: "Place",
    comment: "Comment",
    form: "Form",
    files: "Files",
  },
  de: {
    title: "Check-ins",
    marker_time: "Zeit",
    tracker: "Tracker",
    employee: "Mitarbeiter",
    location: "Ort",
    comment: "Kommentar",
    form: "Formular",
    files: "Dateien",
  },
} satisfies Record<Language, object>;
