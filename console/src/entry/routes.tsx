import { createRootRoute, createRoute } from "@tanstack/react-router";
import { SignedIn } from "../frame/signed-in.tsx";
import { type LoadPage, lazyFirstPage, lazyPage } from "./lazy-page.tsx";
import { MissingPage } from "./missing-page.tsx";
import { NAVIGATION, SEARCH_SOURCES } from "./navigation.ts";

const root = createRootRoute({
  component: () => <SignedIn navigation={NAVIGATION} sources={SEARCH_SOURCES} />,
  notFoundComponent: MissingPage,
});

/** A page at a path, in a chunk of its own that is loaded when the page is opened. */
function page<const Path extends string>(path: Path, load: LoadPage) {
  return createRoute({ getParentRoute: () => root, path, component: lazyPage(load) });
}

/** The page at the start, whose first load is small. */
function firstPage<const Path extends string>(path: Path, load: LoadPage) {
  return createRoute({ getParentRoute: () => root, path, component: lazyFirstPage(load) });
}

/** The pages of the console: one line each. */
export const routes = root.addChildren([
  firstPage("/", async () => (await import("../overview/page.tsx")).LiveMapPage),
  page("/trackers", async () => (await import("../tracker/list.tsx")).TrackerListPage),
  page("/trackers/new", async () => (await import("../registration/page.tsx")).RegistrationPage),
  page("/trackers/$id", async () => (await import("../tracker/details.tsx")).TrackerDetailsPage),
  page("/zones", async () => (await import("../zone/list.tsx")).ZoneListPage),
  page("/zones/new", async () => (await import("../zone/page.tsx")).NewZonePage),
  page("/zones/import", async () => (await import("../zone/import.tsx")).ZoneImportPage),
  page("/zones/$id", async () => (await import("../zone/page.tsx")).ZonePage),
  page("/places", async () => (await import("../place/list.tsx")).PlaceListPage),
  page("/places/new", async () => (await import("../place/page.tsx")).NewPlacePage),
  page("/places/import", async () => (await import("../place/import.tsx")).PlaceImportPage),
  page("/places/$id", async () => (await import("../place/page.tsx")).PlacePage),
  page("/journeys", async () => (await import("../journey/page.tsx")).JourneysPage),
  page("/events", async () => (await import("../event/page.tsx")).EventsPage),
  page("/rules", async () => (await import("../rule/list.tsx")).RuleListPage),
  page("/rules/new", async () => (await import("../rule/editor.tsx")).RuleEditorPage),
  page("/rules/$id", async () => (await import("../rule/editor.tsx")).RuleEditorPage),
  page("/retranslators", async () => (await import("../retranslator/list.tsx")).RetranslatorListPage),
  page("/retranslators/new", async () => (await import("../retranslator/page.tsx")).NewRetranslatorPage),
  page("/retranslators/$id", async () => (await import("../retranslator/page.tsx")).RetranslatorPage),
  page("/settings", async () => (await import("../settings/page.tsx")).SettingsPage),
]);
