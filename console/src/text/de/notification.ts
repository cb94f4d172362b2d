import type { Texts } from "../texts.ts";

export const notification: Texts["notification"] = {
  title: "Benachrichtigungen",
  text: "Dieser Browser zeigt Ereignisse, sobald sie geschehen, auch wenn die Konsole geschlossen ist.",
  events: "Alle Ereignisse",
  enable: "Benachrichtigungen in diesem Browser zeigen",
  categories: "Zu welchen Ereignissen",
  categoryNames: {
    history_rule: "Regeln",
    history_task: "Aufgaben",
    history_service_task: "Fällige Wartungen von Fahrzeugen",
    history_work_status: "Arbeitsstatus",
    history_info: "Andere Meldungen von Geräten und Fahrern",
  },
  obstacles: {
    insecure: "Für Benachrichtigungen muss die Adresse mit https beginnen.",
    unsupported:
      "Dieser Browser kann keine Benachrichtigungen empfangen. Private Fenster und Telefone brauchen womöglich einen anderen Browser.",
    denied:
      "Dieser Browser blockiert Benachrichtigungen der Konsole. Erlauben Sie sie in den Einstellungen des Browsers für diese Seite.",
  },
  noPush: "Diese Installation sendet keine Benachrichtigungen. Fragen Sie ihren Betreiber.",
  refused:
    "Der Browser konnte sich bei seinem Push-Dienst nicht anmelden. Versuchen Sie es später oder mit einem anderen Browser.",
  others: "Andere Browser und Apps",
  othersHint: "Beenden Sie unten deren Sitzung, um ihre Benachrichtigungen zu beenden.",
};
