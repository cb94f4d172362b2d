export const frame = {
  product: "Fleet console",
  loading: "Loading …",
  skipToContent: "Skip to the content",
  openNavigation: "Open the navigation",
  closeNavigation: "Close the navigation",
  close: "Close",
  navigation: "Navigation",
  account: (name: string) => `Account of ${name}`,
  signOut: "Sign out",
  settings: "Settings",
  reference: "API reference",
  search: "Search",
  searchPlaceholder: "Search pages, trackers, people, zones, rules …",
  nothingFound: (text: string) => `Nothing found for “${text}”.`,
  searchHint: "Type to search pages, trackers, vehicles, people, zones, places, rules and retranslators.",
  pages: "Pages",
  theme: "Appearance",
  themes: { light: "Light", dark: "Dark", auto: "As the device" },
  language: "Language",
  pageMissing: {
    title: "This page does not exist",
    text: "The address may be wrong, or what it showed was deleted.",
    action: "Go to the start page",
  },
};

export const refusal = {
  title: "This could not be loaded",
  right: {
    title: "You may not see this",
    text: "Your rights do not include it. The owner of the account can change that.",
  },
  feature: {
    title: "Not part of the tariff",
    text: "The tariff of this account does not include this feature. Your provider can change that.",
  },
  ended: { title: "Your session has ended", text: "Sign in again to go on. This page stays as it is." },
  unreachable: {
    title: "The server cannot be reached",
    text: "The connection is tried again automatically.",
  },
  missing: { title: "Not found", text: "It was deleted, or you may not see it." },
  rate: { title: "Too many calls", text: "Wait a moment, then try again." },
  demo: { title: "Not in the demo", text: "This is disabled for demo accounts." },
  quota: { title: "The limit is reached", text: "The account may not have more of these." },
  invalid: { title: "Some values are not accepted", text: "Check the marked values." },
  other: (code: number) => `The server refused the call (code ${code}).`,
  request: (id: string) => `Request ${id}`,
  retry: "Try again",
  retryNow: "Try now",
  reachableAgain: "The server can be reached again.",
  crash: {
    title: "Something went wrong on this page",
    text: "The rest of the console works. Reload the page, and tell your provider if it happens again.",
  },
  outdated: {
    title: "The console was updated",
    text: "This page needs the new version. Reload to go on.",
  },
  reload: "Reload",
};

export const list = {
  search: "Search in this list",
  clearSearch: "Clear the search",
  columns: "Columns",
  filters: (label: string) => `Filter by ${label}`,
  all: "All",
  sortBy: (label: string) => `Sort by ${label}`,
  count: (shown: string, total: string) => (shown === total ? `Entries: ${total}` : `Entries: ${shown} of ${total}`),
  noMatch: { title: "Nothing matches", text: "No entry matches the search and the filters.", action: "Clear them" },
  yes: "yes",
  no: "no",
  sorting: "Sort",
  ascending: "ascending",
  descending: "descending",
};

export const period = {
  label: "Period",
  today: "Today",
  yesterday: "Yesterday",
  week: "Last 7 days",
  month: "This month",
  lastMonth: "Last month",
  custom: "Choose days",
};
