import { Alert, Button, Group, Loader, Stack, Switch } from "@mantine/core";
import { IconMoodEmpty } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { type FormEvent, useMemo, useState } from "react";
import { BackLink } from "../component/back-link.tsx";
import { DeleteButton } from "../component/delete-button.tsx";
import { EmptyState } from "../component/empty-state.tsx";
import { type FieldErrors, fieldErrorsOf } from "../component/field-errors.ts";
import { noticeSuccess } from "../component/notice.ts";
import { PageHeader } from "../component/page-header.tsx";
import { Refusal } from "../component/refusal.tsx";
import { useUser } from "../session/user.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { type Tracker, trackersQuery } from "../tracker/queries.ts";
import { checkDraft, newDraft, type RuleDraft, toDraft, toNewRule } from "./draft.ts";
import { RuleForm } from "./form.tsx";
import { rulesQuery, ruleTypesQuery, useDeleteRule, useSaveRule } from "./queries.ts";
import styles from "./rule.module.css";
import type { Rule, RuleType } from "./rule.ts";
import { TrialPanel } from "./trial.tsx";

/** Makes a rule, or changes the one in the address. */
export function RuleEditorPage() {
  const { rule: words, frame } = useTexts();
  const { id } = useParams({ strict: false });
  const rules = useQuery({ ...rulesQuery, enabled: id !== undefined });
  const types = useQuery(ruleTypesQuery);
  const trackers = useQuery(trackersQuery);
  const error = rules.error ?? types.error ?? trackers.error;
  const isLoaded = (id === undefined || rules.data) && types.data && trackers.data;
  if (error && !isLoaded) return <Refusal error={error} onRetry={() => void types.refetch()} />;
  if (!types.data || !trackers.data || (id !== undefined && !rules.data)) return <Loader aria-label={frame.loading} />;
  const rule = rules.data?.find((one) => `${one.id}` === id);
  if (id !== undefined && !rule)
    return <EmptyState icon={IconMoodEmpty} title={words.notFound.title} text={words.notFound.text} />;
  return <RuleEditor key={id ?? "new"} {...{ rule, types: types.data, trackers: trackers.data }} />;
}

type RuleEditorProps = { rule: Rule | undefined; types: RuleType[]; trackers: Tracker[] };

function RuleEditor({ rule, types, trackers }: RuleEditorProps) {
  const texts = useTexts();
  const { rule: words } = texts;
  const navigate = useNavigate();
  const { can } = useUser();
  const [draft, setDraft] = useState(() => (rule ? toDraft(rule) : newDraft()));
  const [errors, setErrors] = useState<FieldErrors>({});
  const save = useSaveRule(rule?.id);
  const type = types.find((one) => one.type === draft.type);
  const chosen = useMemo(() => {
    const ids = new Set(draft.trackers);
    return trackers.filter(({ id }) => ids.has(id));
  }, [trackers, draft.trackers]);
  const showErrors = (thrown: unknown) => setErrors(fieldErrorsOf(thrown, "rule"));
  const change = (changes: Partial<RuleDraft>) => setDraft((last) => ({ ...last, ...changes }));
  const isReadOnly = !can("tracker_rule_update");
  return (
    <>
      <PageHeader
        title={rule?.name ?? words.newTitle}
        above={<BackLink to="/rules" label={words.all} />}
        actions={rule && !isReadOnly && <DeleteRule id={rule.id} />}
      />
      {isReadOnly && (
        <Alert variant="default" mb="md">
          {words.readOnly}
        </Alert>
      )}
      <form className={styles.columns} onSubmit={submit} noValidate>
        <Stack gap="md">
          {type && <RuleForm {...{ draft, type, types, trackers, chosen, errors }} onChange={change} />}
          {Object.keys(errors).length > 0 && (
            <Alert color="red" variant="light" title={words.errors.title} role="alert">
              {Object.values(errors).join(" ")}
            </Alert>
          )}
          {save.error && <Refusal error={save.error} />}
          {!isReadOnly && (
            <Group justify="space-between">
              <Switch
                label={words.active}
                checked={!draft.suspended}
                onChange={(event) => change({ suspended: !event.currentTarget.checked })}
              />
              <Group gap="xs">
                <Button variant="default" component={Link} to="/rules">
                  {words.cancel}
                </Button>
                <Button type="submit" loading={save.isPending}>
                  {words.save}
                </Button>
              </Group>
            </Group>
          )}
        </Stack>
        <div className={styles.side}>
          <TrialPanel {...{ trackers: chosen, type: draft.type, takeRule, version: draft }} onError={showErrors} />
        </div>
      </form>
    </>
  );

  function takeRule() {
    if (!type) return undefined;
    const found = checkDraft({ ...draft, name: draft.name || words.newTitle }, type, texts);
    setErrors(found);
    const isComplete = Object.keys(found).length === 0;
    return isComplete ? toNewRule({ ...draft, name: draft.name || words.newTitle }, type) : undefined;
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!type) return;
    const found = checkDraft(draft, type, texts);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    save.mutate(toNewRule(draft, type), {
      onSuccess: () => {
        noticeSuccess(words.saved, texts);
        void navigate({ to: "/rules" });
      },
      onError: showErrors,
    });
  }
}

function DeleteRule({ id }: { id: number }) {
  const texts = useTexts();
  const { deleteTitle: title, deleteText: text, delete: action, cancel, deleted } = texts.rule;
  const navigate = useNavigate();
  const remove = useDeleteRule();
  function confirm() {
    remove.mutate(id, {
      onSuccess: () => {
        noticeSuccess(deleted, texts);
        void navigate({ to: "/rules" });
      },
    });
  }
  return (
    <DeleteButton texts={{ title, text, action, cancel }} isBusy={remove.isPending} onConfirm={confirm}>
      {remove.error && <Refusal error={remove.error} />}
    </DeleteButton>
  );
}
