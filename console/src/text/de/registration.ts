import type { Texts } from "../texts.ts";

export const registration: Texts["registration"] = {
  title: "Tracker registrieren",
  subtitle: "Wählen Sie, wie er sendet, tragen Sie die Einstellungen am Gerät ein und warten Sie auf den ersten Punkt.",
  action: "Tracker registrieren",
  howTitle: "Wie sendet er?",
  whatTitle: "Der Tracker",
  ways: {
    osmand: {
      title: "Telefon: OsmAnd-Protokoll",
      text: "Jede App für Android oder iPhone, die mit dem OsmAnd-Protokoll sendet.",
      steps: [
        "Installieren Sie auf dem Telefon eine App, die mit diesem Protokoll sendet.",
        "Tragen Sie in den Einstellungen die Adresse unten als Server-URL ein und die Geräte-ID als Gerätekennung.",
        "Starten Sie den Dienst in der App.",
      ],
    },
    owntracks: {
      title: "Telefon: OwnTracks",
      text: "Eine kostenlose App für Android und iPhone, die der Code von selbst einrichtet.",
      steps: [
        "Installieren Sie „OwnTracks“ auf dem Telefon.",
        "Scannen Sie den Code mit der Kamera des Telefons: Er richtet die App ein. Oder wählen Sie den Modus HTTP und tragen Sie die Adresse ein.",
        "Senden Sie eine Position mit der Schaltfläche zum Hochladen.",
      ],
    },
    overland: {
      title: "iPhone: Overland",
      text: "Eine kostenlose App für das iPhone, die der Code von selbst einrichtet.",
      steps: [
        "Installieren Sie „Overland“ auf dem Telefon.",
        "Scannen Sie den Code mit der Kamera des Telefons: Er richtet die App ein. Oder tragen Sie die Adresse als Empfänger ein.",
        "Schalten Sie die Aufzeichnung ein.",
      ],
    },
    tracker: {
      title: "GPS-Tracker",
      text: "Ein Gerät, das per HTTP im OsmAnd-Protokoll sendet, mit seiner IMEI.",
      steps: [
        "Tragen Sie die Adresse unten in der Konfiguration des Geräts als Server ein.",
        "Das Gerät muss seine IMEI als „id“ senden.",
      ],
    },
    program: {
      title: "Programm (HTTP, JSON)",
      text: "Eigene Software, die Punkte sendet.",
      steps: [
        "Senden Sie eine POST-Anfrage mit der Geräte-ID und bis zu 1.000 Punkten.",
        "Die Antwort 200 bedeutet, dass die Punkte gespeichert sind. Senden Sie sie nach jeder anderen Antwort noch einmal.",
      ],
    },
  },
  label: "Name",
  labelHint: "Zum Beispiel das Kennzeichen oder wer das Telefon trägt.",
  ids: {
    imei: { label: "IMEI", hint: "15 Ziffern, die auf dem Gerät stehen." },
    name: { label: "Geräte-ID", hint: "2 bis 64 Buchstaben, Ziffern und Bindestriche, frei gewählt." },
  },
  idUsed: "Diese ID ist schon registriert.",
  withKey: "Schlüssel verlangen",
  withKeyHint: "Nur ein Gerät, das den Schlüssel sendet, kann diesem Tracker Punkte hinzufügen.",
  register: "Registrieren",
  connectTitle: (label) => `Einstellungen für „${label}“`,
  address: "Adresse",
  deviceId: "Geräte-ID",
  key: "Schlüssel (Header X-Ingest-Key)",
  keyOnce:
    "Der Schlüssel ist Teil dieser Einstellungen und wird nur jetzt gezeigt. Ein neuer lässt sich auf der Seite des Trackers erzeugen.",
  localAddress:
    "Diese Adresse erreicht den Server nur von diesem Rechner aus. Öffnen Sie die Konsole unter der Adresse, unter der Telefone und Geräte ihn erreichen.",
  example: "Beispiel",
  addressCode: "Der Code enthält die Adresse.",
  setupCode: "Der Code richtet die App ein.",
  copy: "Kopieren",
  copied: "Kopiert",
  copyOf: (label) => `Kopieren: ${label}`,
  waitTitle: "Der erste Punkt",
  waiting: "Warten auf den ersten Punkt. Er erscheint hier von selbst.",
  arrived: "Der erste Punkt ist da.",
  openTracker: "Tracker öffnen",
};
