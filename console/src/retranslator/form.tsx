import { Button, Group, NumberInput, PasswordInput, Select, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ChangeEvent, type FormEvent, useRef, useState } from "react";
import { Panel } from "../component/facts.tsx";
import { errorAt, type FieldErrors, fieldErrorsOf } from "../component/field-errors.ts";
import { LeaveGuard } from "../component/leave-guard.tsx";
import { Refusal } from "../component/refusal.tsx";
import { codeOf } from "../session/api.ts";
import type { Texts } from "../text/texts.ts";
import { useTexts } from "../text/use-texts.tsx";
import { checkDraft, credentialsOf, type Draft, toDraft, toNewRetranslator } from "./draft.ts";
import { protocolsQuery, type Retranslator, useSaveRetranslator } from "./queries.ts";

/** Code of a retranslator whose address, port and login another one has. */
const IS_TAKEN = 247;
const MAX_PORT = 65_535;

type RetranslatorFormProps = { retranslator: Retranslator | undefined; onSaved(id: number): void };

/** Where points are sent, and how. */
export function RetranslatorForm({ retranslator, onSaved }: RetranslatorFormProps) {
  const texts = useTexts();
  const { retranslator: words } = texts;
  const { data: protocols = [] } = useQuery(protocolsQuery);
  const [draft, setDraft] = useState(() => toDraft(retranslator));
  const [missing, setMissing] = useState<FieldErrors>({});
  const saved = useRef(draft);
  const save = useSaveRetranslator(retranslator?.id);
  const protocol = protocols.find(({ id }) => id === draft.protocolId);
  const { hasLogin, hasPassword } = credentialsOf(protocol, retranslator);
  const refused = refusedFields(save.error, texts);
  const errors = { ...refused, ...missing };
  return (
    <form onSubmit={submit} noValidate>
      <LeaveGuard isChanged={() => JSON.stringify(draft) !== JSON.stringify(saved.current)} />
      <Panel title={words.server}>
        <Stack gap="sm">
          <TextInput {...textOf("name", words.columns.name)} withAsterisk maxLength={64} />
          <Select
            label={words.columns.protocol}
            data={protocols.map(({ id, name }) => ({ value: `${id}`, label: name }))}
            value={draft.protocolId === undefined ? null : `${draft.protocolId}`}
            error={errorAt(errors, "protocol_id")}
            withAsterisk
            allowDeselect={false}
            onChange={(id) => change({ protocolId: Number(id) })}
          />
          <Group gap="sm" align="flex-start">
            <TextInput {...textOf("address", words.address)} withAsterisk maxLength={255} flex="3 1 14rem" />
            <NumberInput
              label={words.port}
              value={draft.port}
              error={errorAt(errors, "port")}
              withAsterisk
              {...{
                allowDecimal: false,
                allowNegative: false,
                thousandSeparator: "",
                max: MAX_PORT,
                hideControls: true,
              }}
              flex="1 1 6rem"
              onChange={(port) => change({ port })}
            />
          </Group>
          {hasLogin && (
            <TextInput {...textOf("login", words.login)} withAsterisk={protocol?.required_login} autoComplete="off" />
          )}
          {hasPassword && (
            <PasswordInput
              {...textOf("password", words.password)}
              withAsterisk={protocol?.required_password}
              autoComplete="new-password"
              visibilityToggleButtonProps={{ "aria-label": words.showPassword, tabIndex: 0 }}
            />
          )}
          {save.error && Object.keys(refused).length === 0 && <Refusal error={save.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending}>
              {words.save}
            </Button>
          </Group>
        </Stack>
      </Panel>
    </form>
  );

  function change(changes: Partial<Draft>) {
    setDraft((last) => ({ ...last, ...changes }));
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const found = checkDraft(draft, protocol, texts);
    setMissing(found);
    if (!protocol || Object.keys(found).length > 0) return;
    save.mutate(toNewRetranslator(draft, protocol, retranslator), {
      onSuccess(id) {
        saved.current = draft;
        onSaved(id);
      },
    });
  }

  function textOf(name: "name" | "address" | "login" | "password", label: string) {
    return {
      ...{ label, value: draft[name], error: errorAt(errors, name) },
      onChange: (event: ChangeEvent<HTMLInputElement>) => change({ [name]: event.currentTarget.value }),
    };
  }
}

function refusedFields(thrown: unknown, { retranslator: words }: Texts): FieldErrors {
  if (codeOf(thrown) === IS_TAKEN) return { address: words.errors.taken };
  return fieldErrorsOf(thrown, "retranslator");
}
