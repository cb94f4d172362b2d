import type { Texts } from "../texts.ts";

export const frame: Texts["frame"] = {
  product: "Flottenkonsole",
  loading: "Wird geladen …",
  skipToContent: "Zum Inhalt springen",
  openNavigation: "Navigation öffnen",
  closeNavigation: "Navigation schließen",
  close: "Schließen",
  navigation: "Navigation",
  account: (name) => `Konto von ${name}`,
  signOut: "Abmelden",
  settings: "Einstellungen",
  reference: "API-Referenz",
  search: "Suchen",
  searchPlaceholder: "Seiten, Tracker, Personen, Zonen, Regeln suchen …",
  nothingFound: (text) => `Nichts gefunden zu „${text}“.`,
  searchHint: "Tippen Sie, um Seiten, Tracker, Fahrzeuge, Personen, Zonen, Orte, Regeln und Retranslatoren zu suchen.",
  pages: "Seiten",
  theme: "Darstellung",
  themes: { light: "Hell", dark: "Dunkel", auto: "Wie das Gerät" },
  language: "Sprache",
  pageMissing: {
    title: "Diese Seite gibt es nicht",
    text: "Die Adresse ist falsch, oder das Gesuchte wurde gelöscht.",
    action: "Zur Startseite",
  },
};

export const refusal: Texts["refusal"] = {
  title: "Das konnte nicht geladen werden",
  right: {
    title: "Das dürfen Sie nicht sehen",
    text: "Ihre Rechte umfassen es nicht. Der Inhaber des Kontos kann das ändern.",
  },
  feature: {
    title: "Nicht im Tarif enthalten",
    text: "Der Tarif dieses Kontos enthält diese Funktion nicht. Ihr Anbieter kann das ändern.",
  },
  ended: {
    title: "Ihre Sitzung ist beendet",
    text: "Melden Sie sich wieder an, um fortzufahren. Diese Seite bleibt, wie sie ist.",
  },
  unreachable: {
    title: "Der Server ist nicht erreichbar",
    text: "Die Verbindung wird von selbst erneut versucht.",
  },
  missing: { title: "Nicht gefunden", text: "Es wurde gelöscht, oder Sie dürfen es nicht sehen." },
  rate: { title: "Zu viele Aufrufe", text: "Warten Sie einen Moment und versuchen Sie es noch einmal." },
  demo: { title: "Nicht in der Demo", text: "Das ist in Demo-Konten abgeschaltet." },
  quota: { title: "Die Grenze ist erreicht", text: "Das Konto darf nicht mehr davon haben." },
  invalid: { title: "Manche Werte sind nicht zulässig", text: "Prüfen Sie die markierten Werte." },
  other: (code) => `Der Server hat den Aufruf abgelehnt (Code ${code}).`,
  request: (id) => `Anfrage ${id}`,
  retry: "Erneut versuchen",
  retryNow: "Jetzt versuchen",
  reachableAgain: "Der Server ist wieder erreichbar.",
  crash: {
    title: "Auf dieser Seite ist etwas schiefgegangen",
    text: "Der Rest der Konsole funktioniert. Laden Sie die Seite neu und sagen Sie Ihrem Anbieter Bescheid, wenn es wieder geschieht.",
  },
  outdated: {
    title: "Die Konsole wurde aktualisiert",
    text: "Diese Seite braucht die neue Version. Laden Sie sie neu, um fortzufahren.",
  },
  reload: "Neu laden",
};

export const list: Texts["list"] = {
  search: "In dieser Liste suchen",
  clearSearch: "Suche leeren",
  columns: "Spalten",
  filters: (label) => `Nach ${label} filtern`,
  all: "Alle",
  sortBy: (label) => `Nach ${label} sortieren`,
  count: (shown, total) => (shown === total ? `Einträge: ${total}` : `Einträge: ${shown} von ${total}`),
  noMatch: {
    title: "Keine Treffer",
    text: "Kein Eintrag passt zur Suche und zu den Filtern.",
    action: "Zurücksetzen",
  },
  yes: "ja",
  no: "nein",
  sorting: "Sortieren",
  ascending: "aufsteigend",
  descending: "absteigend",
};

export const period: Texts["period"] = {
  label: "Zeitraum",
  today: "Heute",
  yesterday: "Gestern",
  week: "Letzte 7 Tage",
  month: "Dieser Monat",
  lastMonth: "Letzter Monat",
  custom: "Tage wählen",
};
