import { createApiReference } from "./standalone.esm.js";

const base = `${location.origin}/api-v2`;

createApiReference("#reference", {
  url: `${base}/openapi.json`,
  // Where the page is, there the calls go: nothing else is allowed to it.
  servers: [{ url: base }],
  authentication: { preferredSecurityScheme: "bearer" },
  operationTitleSource: "path",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  // Everything that would turn to another host.
  withDefaultFonts: false,
  proxyUrl: "",
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
});
