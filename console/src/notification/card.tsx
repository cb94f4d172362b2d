import { Alert, Anchor, Checkbox, Group, Loader, Stack, Switch, Text } from "@mantine/core";
import { IconBellOff } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { Panel } from "../component/facts.tsx";
import { Refusal } from "../component/refusal.tsx";
import { programOf, type Session, sessionsQuery } from "../session/sessions.ts";
import { useTexts } from "../text/use-texts.tsx";
import { CATEGORIES, type Category, parseFilter, toFilter } from "./categories.ts";
import { isSubscribed, NoPushError, obstacleToPush, SubscriptionError, switchOff, switchOn } from "./subscription.ts";

const SUBSCRIBED_KEY = ["notification", "subscribed"];

/** Switches notifications on and off in this browser, and chooses their categories. */
export function NotificationSettings() {
  const { notification: words, frame } = useTexts();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (location.hash === "#notifications") box.current?.scrollIntoView();
  }, []);
  const { data: sessions, error, refetch } = useQuery(sessionsQuery);
  const { data: hasSubscription } = useQuery({ queryKey: SUBSCRIBED_KEY, queryFn: isSubscribed });
  const push = sessions?.find(({ current }) => current)?.push;
  return (
    <div ref={box} id="notifications">
      <Panel
        title={words.title}
        actions={
          <Anchor component={Link} to="/events" size="sm">
            {words.events}
          </Anchor>
        }
      >
        <Text size="sm" c="dimmed" mb="sm">
          {words.text}
        </Text>
        {error && !sessions ? (
          <Refusal error={error} onRetry={() => void refetch()} />
        ) : !sessions || hasSubscription === undefined ? (
          <Loader size="sm" aria-label={frame.loading} />
        ) : (
          <Stack gap="md">
            <ThisBrowser filter={hasSubscription ? push?.category_filter : undefined} />
            <OtherBrowsers sessions={sessions.filter((session) => session.push && !session.current)} />
          </Stack>
        )}
      </Panel>
    </div>
  );
}

/** `filter` is undefined while this browser shows no notifications. */
function ThisBrowser({ filter }: { filter: string | undefined }) {
  const { notification: words } = useTexts();
  const queries = useQueryClient();
  const [obstacle, setObstacle] = useState(obstacleToPush);
  const [wanted, setWanted] = useState<Category[]>(() => parseFilter(filter ?? "*"));
  const change = useMutation({
    mutationFn: (next: string | null) => (next === null ? switchOff() : switchOn(next)),
    onSettled: async () => {
      setObstacle(obstacleToPush());
      await Promise.all([
        queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
        queries.invalidateQueries({ queryKey: SUBSCRIBED_KEY }),
      ]);
    },
  });
  const isOn = filter !== undefined;
  const choose = (categories: string[]) => {
    const next = CATEGORIES.filter((category) => categories.includes(category));
    // Notifications of no category at all: that is what the switch is for.
    if (next.length === 0) return;
    setWanted(next);
    if (isOn) change.mutate(toFilter(next));
  };
  if (obstacle !== "none") return <Notice text={words.obstacles[obstacle]} />;
  return (
    <Stack gap="sm">
      <Switch
        label={words.enable}
        checked={isOn}
        disabled={change.isPending}
        onChange={(event) => change.mutate(event.currentTarget.checked ? toFilter(wanted) : null)}
      />
      <Checkbox.Group label={words.categories} value={wanted} onChange={choose}>
        <Stack gap={8} mt={6}>
          {CATEGORIES.map((category) => (
            <Checkbox
              key={category}
              value={category}
              label={words.categoryNames[category]}
              disabled={change.isPending}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      {change.error && <Failure error={change.error} />}
    </Stack>
  );
}

function Failure({ error }: { error: Error }) {
  const { notification: words } = useTexts();
  if (error instanceof NoPushError) return <Notice text={words.noPush} />;
  if (error instanceof SubscriptionError) return <Notice text={words.refused} />;
  return <Refusal error={error} />;
}

function Notice({ text }: { text: string }) {
  return (
    <Alert color="gray" variant="default" icon={<IconBellOff aria-hidden />} role="alert">
      {text}
    </Alert>
  );
}

function OtherBrowsers({ sessions }: { sessions: Session[] }) {
  const { notification: words, settings } = useTexts();
  if (sessions.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600}>
        {words.others}
      </Text>
      <Text size="xs" c="dimmed" mb={6}>
        {words.othersHint}
      </Text>
      <Stack component="ul" gap={4} p={0} m={0} style={{ listStyle: "none" }} aria-label={words.others}>
        {sessions.map(({ id, user_agent, host, push }) => (
          <Group component="li" key={id} gap={6}>
            <Text size="sm">{programOf(user_agent) ?? settings.sessions.unknownProgram}</Text>
            <Text size="xs" c="dimmed">
              {[host, ...parseFilter(push?.category_filter ?? "*").map((name) => words.categoryNames[name])].join(
                " · ",
              )}
            </Text>
          </Group>
        ))}
      </Stack>
    </div>
  );
}
