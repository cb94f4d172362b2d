import { Notifications } from "@mantine/notifications";
import { OpenedNotifications } from "../notification/opened-notifications.tsx";
import type { NavigationEntry } from "./navigation.ts";
import { Search } from "./search.tsx";
import type { SearchSource } from "./search-sources.ts";
import "../style/all.ts";
import "@mantine/notifications/styles.layer.css";

type OverlaysProps = { navigation: NavigationEntry[]; sources: SearchSource[] };

/** The search, notices and pressed notifications, which open above the pages. They are loaded once the page can be used. */
export function Overlays({ navigation, sources }: OverlaysProps) {
  return (
    <>
      <Notifications position="top-right" />
      <OpenedNotifications />
      <Search navigation={navigation} sources={sources} />
    </>
  );
}
