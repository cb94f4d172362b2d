const english = {
  greeting: (name: string) => (name ? `Hello ${name},` : "Hello,"),
  activation: {
    subject: "Activate your account",
    before: "your account is ready. Open this link within 7 days to activate it:",
    button: "Activate the account",
    after: "If you did not ask for an account, ignore this mail.",
  },
  restore: {
    subject: "Choose a new password",
    before: "somebody, probably you, asked for a new password. Open this link within 24 hours to choose one:",
    button: "Choose a password",
    after: "If it was not you, ignore this mail: your password stays as it is.",
  },
  code: {
    subject: "Your code to log in",
    before: "this code completes your log-in. It is good for 10 minutes:",
    after: "If you are not logging in, somebody knows your password: change it.",
  },
  service: {
    notified: {
      subject: (vehicle: string) => `Service is due soon: ${vehicle}`,
      before: "a service task of your fleet is due soon:",
      after: "Note it as done when it is done; until then it stays in the list of tasks.",
    },
    expired: {
      subject: (vehicle: string) => `Service is overdue: ${vehicle}`,
      before: "a service task of your fleet is overdue:",
      after: "Note it as done when it is done; until then it stays in the list of tasks.",
    },
    vehicle: "Vehicle",
    work: "Work",
    comment: "Comment",
    mileage: "Due at",
    engine_hours: "Due at engine hours",
    date: "Due on",
  },
  event: {
    subject: (tracker: string, message: string) => `${tracker}: ${message}`,
    before: "a rule of your fleet has something to tell:",
    after: "Whoever may change the rule settles who gets these mails.",
    tracker: "Tracker",
    message: "Message",
    time: "Time",
  },
  webhook: {
    subject: (webhook: string) => `Webhook disabled: ${webhook}`,
    gone: {
      before: "the receiver of this webhook has answered that it no longer exists (HTTP status 410).",
      after: "It gets no more events. Correct its address and enable it again, or delete it.",
    },
    failing: {
      before: "all deliveries to this webhook have failed for five days.",
      after: "It gets no more events. Once the receiver works, enable it again and replay what has failed.",
    },
  },
  report: (title: string, range: string) => ({
    subject: `${title}: ${range}`,
    before: `the report "${title}" for ${range} is ready. Open this link within some days to get it:`,
    button: "Get the report",
    after: "Whoever has the link can open the report. Who ordered it settles who gets these mails.",
  }),
  agreement: {
    subject: "May we write to you?",
    before:
      "an account wants you to get its notices of service tasks and events, and its reports. If you want them, open this link:",
    button: "Get the notices",
    after: "If you do nothing, you hear no more of it.",
  },
  page: {
    agreement: {
      title: "Notices of service tasks and events, and reports",
      button: "Yes, send them to me",
      done: "You get the notices from now on.",
    },
    activation: {
      title: "Activate your account",
      button: "Activate",
      done: "Your account is active. You can log in now.",
    },
    restore: {
      title: "Choose a new password",
      labels: {
        standard: "New password, 6 to 20 characters",
        strict:
          "New password, 12 to 20 characters with an upper-case and a lower-case letter, a digit and one of !@#$%^&*",
      },
      button: "Save",
      done: "Your password is changed. You can log in now.",
    },
    ended: { title: "This link has ended", text: "It was used already, or it is too old. Ask for a new one." },
    failed: "That did not work. Please try again.",
    console: "Open the console",
  },
};

const german: typeof english = {
  greeting: (name) => (name ? `Hallo ${name},` : "Hallo,"),
  activation: {
    subject: "Aktivieren Sie Ihr Konto",
    before: "Ihr Konto ist bereit. Öffnen Sie innerhalb von 7 Tagen diesen Link, um es zu aktivieren:",
    button: "Konto aktivieren",
    after: "Wenn Sie kein Konto wollten, beachten Sie diese Nachricht nicht.",
  },
  restore: {
    subject: "Wählen Sie ein neues Passwort",
    before:
      "jemand, vermutlich Sie, hat ein neues Passwort angefordert. Öffnen Sie innerhalb von 24 Stunden diesen Link, um es zu wählen:",
    button: "Passwort wählen",
    after: "Wenn Sie es nicht waren, beachten Sie diese Nachricht nicht: Ihr Passwort bleibt, wie es ist.",
  },
  code: {
    subject: "Ihr Code zur Anmeldung",
    before: "dieser Code schließt Ihre Anmeldung ab. Er gilt 10 Minuten:",
    after: "Wenn Sie sich nicht gerade anmelden, kennt jemand Ihr Passwort: Ändern Sie es.",
  },
  service: {
    notified: {
      subject: (vehicle) => `Wartung bald fällig: ${vehicle}`,
      before: "eine Wartung in Ihrem Fuhrpark ist bald fällig:",
      after: "Vermerken Sie sie als erledigt, sobald sie es ist; bis dahin bleibt sie in der Liste.",
    },
    expired: {
      subject: (vehicle) => `Wartung überfällig: ${vehicle}`,
      before: "eine Wartung in Ihrem Fuhrpark ist überfällig:",
      after: "Vermerken Sie sie als erledigt, sobald sie es ist; bis dahin bleibt sie in der Liste.",
    },
    vehicle: "Fahrzeug",
    work: "Arbeit",
    comment: "Kommentar",
    mileage: "Fällig bei",
    engine_hours: "Fällig bei Betriebsstunden",
    date: "Fällig am",
  },
  event: {
    subject: (tracker, message) => `${tracker}: ${message}`,
    before: "eine Regel Ihres Fuhrparks hat etwas zu melden:",
    after: "Wer die Regel ändern darf, legt fest, wer diese Mails bekommt.",
    tracker: "Tracker",
    message: "Meldung",
    time: "Zeit",
  },
  webhook: {
    subject: (webhook) => `Webhook abgeschaltet: ${webhook}`,
    gone: {
      before: "der Empfänger dieses Webhooks hat geantwortet, dass es ihn nicht mehr gibt (HTTP-Status 410).",
      after:
        "Er bekommt keine Ereignisse mehr. Berichtigen Sie die Adresse und schalten Sie ihn wieder ein, oder löschen Sie ihn.",
    },
    failing: {
      before: "alle Zustellungen an diesen Webhook sind seit fünf Tagen gescheitert.",
      after:
        "Er bekommt keine Ereignisse mehr. Schalten Sie ihn wieder ein, sobald der Empfänger arbeitet, und wiederholen Sie, was gescheitert ist.",
    },
  },
  report: (title, range) => ({
    subject: `${title}: ${range}`,
    before: `der Bericht „${title}“ für ${range} ist fertig. Öffnen Sie innerhalb einiger Tage diesen Link:`,
    button: "Bericht holen",
    after: "Wer den Link hat, kann den Bericht öffnen. Wer ihn bestellt hat, legt fest, wer diese Mails bekommt.",
  }),
  agreement: {
    subject: "Dürfen wir Ihnen schreiben?",
    before:
      "ein Konto möchte, dass Sie seine Hinweise auf Wartungen und Ereignisse sowie seine Berichte bekommen. Wenn Sie das möchten, öffnen Sie diesen Link:",
    button: "Hinweise bekommen",
    after: "Wenn Sie nichts tun, hören Sie davon nichts mehr.",
  },
  page: {
    agreement: {
      title: "Hinweise auf Wartungen und Ereignisse",
      button: "Ja, schicken Sie sie mir",
      done: "Sie bekommen die Hinweise von jetzt an.",
    },
    activation: {
      title: "Aktivieren Sie Ihr Konto",
      button: "Aktivieren",
      done: "Ihr Konto ist aktiv. Sie können sich jetzt anmelden.",
    },
    restore: {
      title: "Wählen Sie ein neues Passwort",
      labels: {
        standard: "Neues Passwort, 6 bis 20 Zeichen",
        strict:
          "Neues Passwort, 12 bis 20 Zeichen mit einem Groß- und einem Kleinbuchstaben, einer Ziffer und einem von !@#$%^&*",
      },
      button: "Speichern",
      done: "Ihr Passwort ist geändert. Sie können sich jetzt anmelden.",
    },
    ended: {
      title: "Dieser Link gilt nicht mehr",
      text: "Er wurde schon benutzt oder ist zu alt. Fordern Sie einen neuen an.",
    },
    failed: "Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.",
    console: "Konsole öffnen",
  },
};

export type Texts = typeof english;
export const TEXTS = { en: english, de: german };
