import { Alert, Anchor, Button, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { requestPasswordLink } from "../session/sign-in.ts";
import { useTexts } from "../text/use-texts.tsx";
import { signInError } from "./sign-in-error.ts";

type RecoveryFormProps = { login: string; onLogin(login: string): void; onBack(): void };

/** Asks for a mail with a link to choose a new password. The answer does not reveal whether the login is known. */
export function RecoveryForm({ login, onLogin, onBack }: RecoveryFormProps) {
  const texts = useTexts();
  const { recovery, back, login: loginLabel } = texts.session;
  const [isDone, setDone] = useState(false);
  const [error, setError] = useState("");
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <Text size="sm">{recovery.text}</Text>
        <TextInput
          label={loginLabel}
          name="login"
          autoComplete="username"
          required
          withAsterisk={false}
          value={login}
          onChange={(event) => onLogin(event.currentTarget.value)}
        />
        {isDone && (
          <Alert color="teal" variant="default" role="status">
            {recovery.done}
          </Alert>
        )}
        {error && (
          <Alert color="red" variant="default" role="alert">
            {error}
          </Alert>
        )}
        <Button type="submit" fullWidth disabled={isDone}>
          {recovery.submit}
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={onBack} ta="center">
          {back}
        </Anchor>
      </Stack>
    </form>
  );

  async function submit(event: FormEvent) {
    event.preventDefault();
    setError("");
    await requestPasswordLink(login.trim()).then(
      () => setDone(true),
      (thrown) => setError(signInError(thrown, texts)),
    );
  }
}
