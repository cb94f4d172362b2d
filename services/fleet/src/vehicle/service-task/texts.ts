import type { Language } from "#shared/text/language.ts";

const english = {
  title: "Service tasks",
  vehicle_label: "Vehicle",
  description: "Work",
  creation_date: "Planned on",
  status: "Status",
  conditions: "Due",
  mileage_remains: (unit: string) => `Left, ${unit}`,
  hours_remains: "Left, h",
  days_remains: "Left, days",
  cost: "Cost",
  completed: "Done on",
  files: "Files",
  comment: "Comment",
  total: "Total",
  statuses: { created: "Planned", notified: "Due soon", expired: "Overdue", done: "Done" },
  after: (amount: string, unit: string) => `after ${amount} ${unit}`,
  at: (date: string) => `on ${date}`,
};

const german: typeof english = {
  title: "Wartungsarbeiten",
  vehicle_label: "Fahrzeug",
  description: "Arbeit",
  creation_date: "Geplant am",
  status: "Stand",
  conditions: "Fällig",
  mileage_remains: (unit: string) => `Noch, ${unit}`,
  hours_remains: "Noch, h",
  days_remains: "Noch, Tage",
  cost: "Kosten",
  completed: "Erledigt am",
  files: "Dateien",
  comment: "Bemerkung",
  total: "Summe",
  statuses: { created: "Geplant", notified: "Bald fällig", expired: "Überfällig", done: "Erledigt" },
  after: (amount, unit) => `nach ${amount} ${unit}`,
  at: (date) => `am ${date}`,
};

export const TEXTS: Record<Language, typeof english> = { en: english, de: german };
