export const registration = {
  title: "Register a tracker",
  subtitle: "Choose how it sends its points, enter the settings on the device, and wait for the first point.",
  action: "Register a tracker",
  howTitle: "How does it send?",
  whatTitle: "The tracker",
  ways: {
    osmand: {
      title: "Phone: OsmAnd protocol",
      text: "Any app for Android or iPhone that sends by the OsmAnd protocol.",
      steps: [
        "Install an app that sends by this protocol on the phone.",
        "In its settings enter the address below as the server URL, and the device id as the device identifier.",
        "Start the service in the app.",
      ],
    },
    owntracks: {
      title: "Phone: OwnTracks",
      text: "A free app for Android and iPhone that the code sets up by itself.",
      steps: [
        "Install “OwnTracks” on the phone.",
        "Scan the code with the phone's camera: it sets the app up. Or choose the mode HTTP and enter the address.",
        "Send a position by the app's upload button.",
      ],
    },
    overland: {
      title: "iPhone: Overland",
      text: "A free app for the iPhone that the code sets up by itself.",
      steps: [
        "Install “Overland” on the phone.",
        "Scan the code with the phone's camera: it sets the app up. Or enter the address as the receiver endpoint.",
        "Switch tracking on.",
      ],
    },
    tracker: {
      title: "GPS tracker",
      text: "A device that sends by HTTP in the OsmAnd protocol, with its IMEI.",
      steps: [
        "Enter the address below as the server in the configuration of the device.",
        "The device must send its IMEI as “id”.",
      ],
    },
    program: {
      title: "Program (HTTP, JSON)",
      text: "Software of your own that sends points.",
      steps: [
        "Send a POST request with the device id and up to 1,000 points.",
        "The answer 200 means that the points are stored. After any other answer send them again.",
      ],
    },
  },
  label: "Name",
  labelHint: "For example the number plate, or who carries the phone.",
  ids: {
    imei: { label: "IMEI", hint: "15 digits, which are printed on the device." },
    name: { label: "Device ID", hint: "2 to 64 letters, digits and hyphens, of your choice." },
  },
  idUsed: "This id is registered already.",
  withKey: "Demand a key",
  withKeyHint: "Only a device that sends the key can add points to this tracker.",
  register: "Register",
  connectTitle: (label: string) => `Settings for “${label}”`,
  address: "Address",
  deviceId: "Device ID",
  key: "Key (header X-Ingest-Key)",
  keyOnce: "The key is part of these settings and shown only now. A new one can be made on the tracker's page.",
  localAddress:
    "This address reaches the server from this computer alone. Open the console at the address by which phones and devices reach it.",
  example: "Example",
  addressCode: "The code has the address.",
  setupCode: "The code sets the app up.",
  copy: "Copy",
  copied: "Copied",
  copyOf: (label: string) => `Copy: ${label}`,
  waitTitle: "The first point",
  waiting: "Waiting for the first point. It appears here by itself.",
  arrived: "The first point has arrived.",
  openTracker: "Open the tracker",
};
