import { Button, Group, Loader, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Panel } from "../component/facts.tsx";
import { Refusal } from "../component/refusal.tsx";
import { call } from "../session/api.ts";
import { forgetSession } from "../session/session.ts";
import { programOf, type Session, sessionsQuery } from "../session/sessions.ts";
import { useFormat } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";

/** The sessions of the user, each of which can be ended, or all at once. */
export function Sessions() {
  const { settings, frame } = useTexts();
  const { sessions: words } = settings;
  const [isAsking, setAsking] = useState(false);
  const { data, error, refetch } = useQuery(sessionsQuery);
  return (
    <Panel
      title={words.title}
      actions={
        data && (
          <Button variant="default" size="xs" onClick={() => setAsking(true)}>
            {words.endAll}
          </Button>
        )
      }
    >
      {isAsking && data && <EndAllDialog sessions={data} onClose={() => setAsking(false)} />}
      <Text size="sm" c="dimmed" mb="sm">
        {words.text}
      </Text>
      {error && !data ? <Refusal error={error} onRetry={() => void refetch()} /> : null}
      {!error && !data ? <Loader size="sm" aria-label={frame.loading} /> : null}
      <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: "none" }}>
        {data?.toReversed().map((session) => (
          <SessionLine key={session.id} session={session} />
        ))}
      </Stack>
    </Panel>
  );
}

/** Asks first: the user has to sign in again on every device. */
function EndAllDialog({ sessions, onClose }: { sessions: Session[]; onClose(): void }) {
  const { sessions: words } = useTexts().settings;
  return (
    <Modal opened onClose={onClose} title={words.endAllTitle} centered>
      <Text size="sm">{words.endAllText}</Text>
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button color="red" onClick={() => void endAll(sessions)}>
          {words.endAll}
        </Button>
      </Group>
    </Modal>
  );
}

function SessionLine({ session }: { session: Session }) {
  const { sessions: words } = useTexts().settings;
  const format = useFormat();
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: () => call("/user/session/delete", { session_id: session.id }),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  const program = programOf(session.user_agent) ?? words.unknownProgram;
  return (
    <Group component="li" justify="space-between" wrap="nowrap" gap="sm">
      <div>
        <Text size="sm" fw={600}>
          {program}
        </Text>
        <Text size="xs" c="dimmed">
          {[
            session.current ? words.current : session.host,
            session.kind === "delegated" && words.delegated,
            words.since(format.dateTime(session.created)),
          ]
            .filter(Boolean)
            .join(" · ")}
        </Text>
        {end.error && <Refusal error={end.error} />}
      </div>
      {!session.current && (
        <Button
          size="xs"
          variant="default"
          loading={end.isPending}
          aria-label={words.endOf(program)}
          onClick={() => end.mutate()}
        >
          {words.end}
        </Button>
      )}
    </Group>
  );
}

/** Ends the other sessions first: without its own, the user could end no other. */
async function endAll(sessions: Session[]) {
  for (const { id, current } of sessions)
    if (!current) await call("/user/session/delete", { session_id: id }).catch(() => undefined);
  await call("/user/logout").catch(() => undefined);
  forgetSession();
}
