import { Center, Loader, useMantineColorScheme } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { Refusal } from "../component/refusal.tsx";
import { useSession } from "../session/session.ts";
import { type UserData, UserProvider, userQuery } from "../session/user.tsx";
import { languageOf } from "../text/texts.ts";
import { useLanguage, useTexts } from "../text/use-texts.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import type { NavigationEntry } from "./navigation.ts";
import type { SearchSource } from "./search-sources.ts";
import { Shell } from "./shell.tsx";

// A user with a session needs neither of the two at first.
const SignInPage = lazy(async () => ({ default: (await import("../sign-in/sign-in-page.tsx")).SignInPage }));
const EndedDialog = lazy(async () => ({ default: (await import("../sign-in/ended-dialog.tsx")).EndedDialog }));

type SignedInProps = { navigation: NavigationEntry[]; sources: SearchSource[] };

/** The frame for the user who has signed in; without one the page to sign in, at the same address. */
export function SignedIn(props: SignedInProps) {
  const { status } = useSession();
  const queries = useQueryClient();
  useEffect(() => {
    // Another user may be the next: nothing of this one stays in memory.
    if (status === "none") queries.clear();
  }, [status, queries]);
  return (
    <>
      {status !== "none" && <Frame {...props} />}
      <Suspense fallback={null}>
        {status === "none" && <SignInPage />}
        {status === "ended" && <EndedDialog />}
      </Suspense>
      <ConnectionBanner />
    </>
  );
}

function Frame(props: SignedInProps) {
  const { frame } = useTexts();
  const { data, error, refetch } = useQuery(userQuery);
  if (data)
    return (
      <UserProvider data={data}>
        <Preferences data={data} />
        <Shell {...props} />
      </UserProvider>
    );
  return (
    <Center component="main" mih="100dvh" p="md">
      {error ? <Refusal error={error} onRetry={() => void refetch()} /> : <Loader aria-label={frame.loading} />}
    </Center>
  );
}

/** Applies the language and the theme that the user has stored. */
function Preferences({ data }: { data: UserData }) {
  const { language, choose } = useLanguage();
  const { setColorScheme } = useMantineColorScheme();
  const wanted = languageOf(data.info.user_info.locale);
  const { theme } = data.own;
  useEffect(() => {
    if (wanted !== language) void choose(wanted);
  }, [wanted, language, choose]);
  useEffect(() => {
    if (theme) setColorScheme(theme);
  }, [theme, setColorScheme]);
  return null;
}
