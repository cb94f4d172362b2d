import {
  IconAntenna,
  IconBell,
  IconBellCog,
  IconMap2,
  IconMapPin,
  IconPolygon,
  IconRoute,
  IconSettings,
  IconTransferOut,
} from "@tabler/icons-react";
import { UnreadBadge } from "../event/unread-badge.tsx";
import type { NavigationEntry } from "../frame/navigation.ts";
import type { SearchSource } from "../frame/search-sources.ts";
import { placeSource } from "../place/search-source.ts";
import { retranslatorSource } from "../retranslator/search-source.ts";
import { ruleSource } from "../rule/search-source.ts";
import { employeeSource, trackerSource, vehicleSource } from "../tracker/search-source.ts";
import { zoneSource } from "../zone/search-source.ts";

/** The lines of the navigation, from top to bottom: one for each page that stands by itself. */
export const NAVIGATION: NavigationEntry[] = [
  { to: "/", icon: IconMap2, label: ({ map }) => map.title },
  { to: "/journeys", icon: IconRoute, label: ({ journey }) => journey.title },
  { to: "/trackers", icon: IconAntenna, label: ({ tracker }) => tracker.title },
  { to: "/zones", icon: IconPolygon, label: ({ zone }) => zone.title },
  { to: "/places", icon: IconMapPin, label: ({ place }) => place.title },
  { to: "/events", icon: IconBell, label: ({ event }) => event.title, Badge: UnreadBadge },
  { to: "/rules", icon: IconBellCog, label: ({ rule }) => rule.title },
  {
    to: "/retranslators",
    icon: IconTransferOut,
    label: ({ retranslator }) => retranslator.title,
    isAllowed: ({ isMaster }) => isMaster,
  },
  { to: "/settings", icon: IconSettings, label: ({ settings }) => settings.title, isOnlyFound: true },
];

/** The objects that the search finds, in the order in which it shows them. */
export const SEARCH_SOURCES: SearchSource[] = [
  trackerSource,
  vehicleSource,
  employeeSource,
  zoneSource,
  placeSource,
  ruleSource,
  retranslatorSource,
];
