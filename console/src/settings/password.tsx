import { Button, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Panel } from "../component/facts.tsx";
import { Refusal } from "../component/refusal.tsx";
import { call, codeOf } from "../session/api.ts";
import { forgetSession } from "../session/session.ts";
import { useUser } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";

/** Changes the user's password, which ends all sessions. */
export function PasswordSettings() {
  const { settings, session } = useTexts();
  const { password: words } = settings;
  const { user_info } = useUser().info;
  const [old_password, setOld] = useState("");
  const [new_password, setNew] = useState("");
  const change = useMutation({
    mutationFn: () => call("/user/password/set", { old_password, new_password }),
    onSuccess: forgetSession,
  });
  const code = codeOf(change.error);
  const newError = code === 7 ? words.rule : code === 245 ? words.same : undefined;
  const oldError = code === 248 ? words.wrong : undefined;
  return (
    <Panel title={words.title}>
      <form
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {words.text}
          </Text>
          <input type="text" name="login" autoComplete="username" defaultValue={user_info.login} hidden />
          <PasswordInput
            label={words.old}
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={old_password}
            error={oldError}
            onChange={(event) => setOld(event.currentTarget.value)}
            visibilityToggleButtonProps={{ "aria-label": session.showPassword }}
          />
          <PasswordInput
            label={words.new}
            autoComplete="new-password"
            required
            withAsterisk={false}
            value={new_password}
            error={newError}
            onChange={(event) => setNew(event.currentTarget.value)}
            visibilityToggleButtonProps={{ "aria-label": session.showPassword }}
          />
          {change.error && !newError && !oldError && <Refusal error={change.error} />}
          <div>
            <Button type="submit" variant="default" loading={change.isPending}>
              {words.submit}
            </Button>
          </div>
        </Stack>
      </form>
    </Panel>
  );
}
