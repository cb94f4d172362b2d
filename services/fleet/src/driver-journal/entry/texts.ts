import type { Language } from "#shared/text/language.ts";

const english = {
  title: "Driver journal",
  start: "Start",
  end: "End",
  from: "From",
  to: "To",
  driver: "Driver",
  tracker: "Tracker",
  type: "Purpose",
  odometer: "Odometer",
  length: "Length",
  comment: "Comment",
  total: "Total",
  types: { work: "Work", personal: "Personal", other: "Other" },
};

const german: typeof english = {
  title: "Fahrtenbuch",
  start: "Beginn",
  end: "Ende",
  from: "Von",
  to: "Nach",
  driver: "Fahrer",
  tracker: "Gerät",
  type: "Zweck",
  odometer: "Kilometerstand",
  length: "Strecke",
  comment: "Bemerkung",
  total: "Summe",
  types: { work: "Dienstlich", personal: "Privat", other: "Sonstiges" },
};

export const TEXTS: Record<Language, typeof english> = { en: english, de: german };
