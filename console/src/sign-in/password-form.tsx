import { Alert, Anchor, Button, Checkbox, PasswordInput, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { codeOf } from "../session/api.ts";
import { requestActivationLink, type SecondStep, signIn } from "../session/sign-in.ts";
import { useTexts } from "../text/use-texts.tsx";
import { signInError } from "./sign-in-error.ts";

type PasswordFormProps = {
  login: string;
  /** True if the login belongs to a session that has ended, and may not be changed. */
  isLoginFixed?: boolean;
  stays: boolean;
  onStays(stays: boolean): void;
  onLogin(login: string): void;
  onDone(outcome: string | SecondStep): void;
  onForgotten?(): void;
};

/** The first step of a sign-in. A user who is not activated yet can ask for a new link. */
export function PasswordForm(props: PasswordFormProps) {
  const texts = useTexts();
  const { session } = texts;
  const [password, setPassword] = useState("");
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <TextInput
          label={session.login}
          name="login"
          autoComplete="username"
          required
          withAsterisk={false}
          readOnly={props.isLoginFixed ?? false}
          value={props.login}
          onChange={(event) => props.onLogin(event.currentTarget.value)}
        />
        <PasswordInput
          label={session.password}
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ "aria-label": session.showPassword }}
        />
        <Checkbox
          label={session.stay}
          checked={props.stays}
          onChange={(event) => props.onStays(event.currentTarget.checked)}
        />
        {error !== undefined && (
          <Alert color="red" variant="default" role="alert">
            {signInError(error, texts)}
            {codeOf(error) === 103 && <ActivationRequest login={props.login} />}
          </Alert>
        )}
        <Button type="submit" loading={isBusy} fullWidth>
          {session.submit}
        </Button>
        {props.onForgotten && (
          <Anchor component="button" type="button" size="sm" onClick={props.onForgotten} ta="center">
            {session.forgot}
          </Anchor>
        )}
      </Stack>
    </form>
  );

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      props.onDone(await signIn(props.login.trim(), password));
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  }
}

function ActivationRequest({ login }: { login: string }) {
  const texts = useTexts();
  const [result, setResult] = useState("");
  const ask = () =>
    requestActivationLink(login).then(
      () => setResult(texts.session.activation.done),
      (thrown) => setResult(signInError(thrown, texts)),
    );
  return (
    <Stack gap={4} mt="xs" align="flex-start">
      <Button size="xs" variant="default" onClick={() => void ask()}>
        {texts.session.activation.submit}
      </Button>
      <span role="status">{result}</span>
    </Stack>
  );
}
