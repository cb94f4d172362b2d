import { ActionIcon, AppShell, Burger, Button, Group, Kbd, Text } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { spotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { useIsFetching } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { useUser } from "../session/user.tsx";
import { Logo } from "../sign-in/logo.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { Account } from "./account.tsx";
import styles from "./frame.module.css";
import { allowedEntries, type NavigationEntry } from "./navigation.ts";
import type { SearchSource } from "./search-sources.ts";

const Overlays = lazy(async () => ({ default: (await import("./overlays.tsx")).Overlays }));
/** A page that asks for something when it has something else asks within that time. */
const PAUSE_MS = 100;
/** The overlays wait no longer for a page, however much it reads. */
const MAX_PAUSE_MS = 2_000;

type ShellProps = { navigation: NavigationEntry[]; sources: SearchSource[] };

/** The frame around every page: the header with the search, and the navigation, which a phone opens by a button. */
export function Shell({ navigation, sources }: ShellProps) {
  const { frame } = useTexts();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  // Known before the search is loaded, which then is there open.
  useHotkeys([["mod + K", spotlight.open]]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding={{ base: "sm", sm: "lg" }}
    >
      <a href="#content" className={styles.skip}>
        {frame.skipToContent}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={isOpen ? frame.closeNavigation : frame.openNavigation}
          />
          <Link to="/" className={styles.brand} aria-label={frame.product}>
            <Logo />
            <Text component="span" fw={700} visibleFrom="sm">
              {frame.product}
            </Text>
          </Link>
          <SearchButton />
          <Account />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label={frame.navigation}>
        <NavigationLinks navigation={navigation} onClick={close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={styles.main}>
        <Outlet />
      </AppShell.Main>
      <LaterOverlays navigation={navigation} sources={sources} />
    </AppShell>
  );
}

function NavigationLinks({ navigation, onClick }: { navigation: NavigationEntry[]; onClick(): void }) {
  const texts = useTexts();
  const user = useUser();
  const entries = allowedEntries(navigation, user).filter(({ isOnlyFound }) => !isOnlyFound);
  return entries.map(({ to, icon: Icon, label, Badge }) => (
    <Link
      key={to}
      to={to}
      activeOptions={{ exact: to === "/", includeSearch: false }}
      className={styles.link}
      onClick={onClick}
    >
      <Icon size={20} aria-hidden />
      {label(texts)}
      {Badge && <Badge />}
    </Link>
  ));
}

function SearchButton() {
  const { frame } = useTexts();
  const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
  return (
    <Group flex={1} justify="flex-end">
      <Button
        variant="default"
        visibleFrom="sm"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={<Kbd size="xs">{isMac ? "⌘ K" : "Ctrl K"}</Kbd>}
        onClick={spotlight.open}
      >
        {frame.search}
      </Button>
      <ActionIcon variant="default" size="lg" hiddenFrom="sm" aria-label={frame.search} onClick={spotlight.open}>
        <IconSearch size={18} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

/** Loads what opens above the pages once the first page has what it asked for. */
function LaterOverlays(props: ShellProps) {
  const [isLater, setLater] = useState(false);
  const isReading = useIsFetching() > 0;
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), isReading ? MAX_PAUSE_MS : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isReading]);
  return (
    isLater && (
      <Suspense fallback={null}>
        <Overlays {...props} />
      </Suspense>
    )
  );
}
