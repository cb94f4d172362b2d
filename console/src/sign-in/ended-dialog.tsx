import { Anchor, Modal, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { forgetSession, openSession, useSession } from "../session/session.ts";
import type { SecondStep } from "../session/sign-in.ts";
import { useTexts } from "../text/use-texts.tsx";
import { CodeForm } from "./code-form.tsx";
import { PasswordForm } from "./password-form.tsx";

/** Asks to sign in again over the page whose session has ended, so that nothing on the page is lost. */
export function EndedDialog() {
  const state = useSession();
  const { refusal, session } = useTexts();
  if (state.status !== "ended") return null;
  return (
    <Modal opened onClose={() => {}} withCloseButton={false} title={refusal.ended.title} centered>
      <Stack gap="sm">
        <Text size="sm">{refusal.ended.text}</Text>
        <SignInAgain login={state.login} stays={state.stays} />
        <Anchor component="button" type="button" size="sm" ta="center" onClick={forgetSession}>
          {session.otherUser}
        </Anchor>
      </Stack>
    </Modal>
  );
}

function SignInAgain({ login, stays }: { login: string; stays: boolean }) {
  const queries = useQueryClient();
  const [step, setStep] = useState<SecondStep>();
  const [willStay, setWillStay] = useState(stays);
  const open = (hash: string) => {
    openSession({ hash, login }, willStay);
    // Queries that failed meanwhile are loaded again.
    void queries.invalidateQueries();
  };
  if (step) return <CodeForm step={step} onDone={open} onBack={() => setStep(undefined)} />;
  return (
    <PasswordForm
      login={login}
      isLoginFixed
      stays={willStay}
      onStays={setWillStay}
      onLogin={() => {}}
      onDone={(outcome) => (typeof outcome === "string" ? open(outcome) : setStep(outcome))}
    />
  );
}
