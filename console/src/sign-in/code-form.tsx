import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { resendCode, type SecondStep, verifyCode } from "../session/sign-in.ts";
import { useTexts } from "../text/use-texts.tsx";
import { signInError } from "./sign-in-error.ts";

type CodeFormProps = { step: SecondStep; onDone(hash: string): void; onBack(): void };

/** The second step of a sign-in: a code of a mail or of an authenticator app. */
export function CodeForm({ step, onDone, onBack }: CodeFormProps) {
  const texts = useTexts();
  const { code: words, back } = texts.session;
  const [code, setCode] = useState("");
  const [error, setError] = useState("");
  const [notice, setNotice] = useState("");
  const [isBusy, setBusy] = useState(false);
  const isMailed = step.factor === "email";
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <Text size="sm">{isMailed ? words.email : words.totp}</Text>
        <TextInput
          label={words.label}
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          withAsterisk={false}
          data-autofocus
          autoFocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        {error && (
          <Alert color="red" variant="default" role="alert">
            {error}
          </Alert>
        )}
        <Text size="sm" role="status">
          {notice}
        </Text>
        <Button type="submit" loading={isBusy} fullWidth>
          {words.submit}
        </Button>
        <Group justify="space-between">
          <Anchor component="button" type="button" size="sm" onClick={onBack}>
            {back}
          </Anchor>
          {isMailed && (
            <Anchor component="button" type="button" size="sm" onClick={() => void resend()}>
              {words.resend}
            </Anchor>
          )}
        </Group>
      </Stack>
    </form>
  );

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setError("");
    try {
      onDone(await verifyCode(step, code));
    } catch (thrown) {
      setError(signInError(thrown, texts));
    } finally {
      setBusy(false);
    }
  }

  async function resend() {
    setError("");
    try {
      await resendCode(step);
      setNotice(words.resent);
    } catch (thrown) {
      setError(signInError(thrown, texts));
    }
  }
}
