import { Stack } from "@mantine/core";
import { PageHeader } from "../component/page-header.tsx";
import { NotificationSettings } from "../notification/card.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { DisplaySettings } from "./display.tsx";
import { PasswordSettings } from "./password.tsx";
import { Sessions } from "./sessions.tsx";

/** The settings of the user who has signed in. */
export function SettingsPage() {
  const { settings } = useTexts();
  return (
    <>
      <PageHeader title={settings.title} subtitle={settings.subtitle} />
      <Stack maw={760} gap="md">
        <DisplaySettings />
        <NotificationSettings />
        <Sessions />
        <PasswordSettings />
      </Stack>
    </>
  );
}
