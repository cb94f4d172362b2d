import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRouter, RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ErrorPage } from "../component/error-page.tsx";
import { parseSearch, stringifySearch } from "../component/search-params.ts";
import { onRecovery } from "../session/connection.ts";
import { resolveVariables, theme } from "../style/theme.ts";
import { correctBrowserLanguage } from "../text/browser-language.ts";
import { loadTexts } from "../text/load-texts.ts";
import { LanguageProvider, preferredLanguage } from "../text/use-texts.tsx";
import { routes } from "./routes.tsx";
import "../style/first.ts";

const queries = new QueryClient({
  defaultOptions: {
    // The client repeats calls itself, and an outage ends with `onRecovery`.
    queries: { retry: false, networkMode: "always", staleTime: 10_000 },
    mutations: { retry: false, networkMode: "always" },
  },
});
onRecovery(() => void queries.invalidateQueries());

const router = createRouter({
  routeTree: routes,
  parseSearch,
  stringifySearch,
  defaultErrorComponent: ErrorPage,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

correctBrowserLanguage();
const language = preferredLanguage();
const texts = await loadTexts(language);
const container = document.getElementById("console");
if (!container) throw new Error("The page has no element for the console.");
createRoot(container).render(
  <StrictMode>
    <LanguageProvider first={{ language, texts }}>
      <MantineProvider theme={theme} cssVariablesResolver={resolveVariables} defaultColorScheme="auto">
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </LanguageProvider>
  </StrictMode>,
);
