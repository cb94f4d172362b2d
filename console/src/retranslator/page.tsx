import { Loader } from "@mantine/core";
import { IconMoodEmpty } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { BackLink } from "../component/back-link.tsx";
import { DeleteButton } from "../component/delete-button.tsx";
import { EmptyState } from "../component/empty-state.tsx";
import { noticeSuccess } from "../component/notice.ts";
import { PageHeader } from "../component/page-header.tsx";
import { Refusal } from "../component/refusal.tsx";
import { call } from "../session/api.ts";
import { useTexts } from "../text/use-texts.tsx";
import { EnabledSwitch } from "./enabled-switch.tsx";
import { RetranslatorForm } from "./form.tsx";
import { RETRANSLATOR_KEY, type Retranslator, retranslatorsQuery } from "./queries.ts";
import styles from "./retranslator.module.css";
import { StatePanel } from "./state.tsx";
import { ForwardedTrackers } from "./trackers.tsx";

/** Makes a retranslator; its trackers are chosen on the page that follows. */
export function NewRetranslatorPage() {
  const texts = useTexts();
  const { retranslator: words } = texts;
  const navigate = useNavigate();
  const showTrackers = (id: number) => {
    noticeSuccess(words.created, texts);
    void navigate({ to: "/retranslators/$id", params: { id: `${id}` } });
  };
  return (
    <>
      <PageHeader title={words.create} above={<Back />} subtitle={words.createHint} />
      <div className={styles.form}>
        <RetranslatorForm retranslator={undefined} onSaved={showTrackers} />
      </div>
    </>
  );
}

/** Everything about one retranslator: the server, its state, and which trackers' points it gets. */
export function RetranslatorPage() {
  const { retranslator: words, frame } = useTexts();
  const { id = "" } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(retranslatorsQuery);
  if (error && !data) return <Refusal error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label={frame.loading} />;
  const retranslator = data.find((one) => `${one.id}` === id);
  if (!retranslator) return <EmptyState icon={IconMoodEmpty} title={words.notFound.title} text={words.notFound.text} />;
  return <Details key={id} retranslator={retranslator} />;
}

function Details({ retranslator }: { retranslator: Retranslator }) {
  const texts = useTexts();
  const { retranslator: words } = texts;
  return (
    <>
      <PageHeader
        title={retranslator.name}
        above={<Back />}
        actions={
          <>
            <EnabledSwitch retranslator={retranslator} label={words.enabled} />
            <DeleteRetranslator retranslator={retranslator} />
          </>
        }
      />
      <div className={styles.columns}>
        <RetranslatorForm retranslator={retranslator} onSaved={() => noticeSuccess(words.saved, texts)} />
        <StatePanel retranslator={retranslator} />
      </div>
      <ForwardedTrackers retranslator={retranslator} />
    </>
  );
}

function DeleteRetranslator({ retranslator: { id, name } }: { retranslator: Retranslator }) {
  const texts = useTexts();
  const { retranslator: words } = texts;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call("/retranslator/delete", { retranslator_id: id }),
    async onSuccess() {
      noticeSuccess(words.deleted(name), texts);
      // Changes of the form are lost anyway. The page is left first: without its retranslator it would say that it is missing.
      await navigate({ to: "/retranslators", ignoreBlocker: true });
      await queries.invalidateQueries({ queryKey: RETRANSLATOR_KEY });
    },
  });
  const { deleteText: text, delete: action, cancel } = words;
  return (
    <DeleteButton
      texts={{ title: words.deleteTitle(name), text, action, cancel }}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      {remove.error && <Refusal error={remove.error} />}
    </DeleteButton>
  );
}

function Back() {
  const { retranslator: words } = useTexts();
  return <BackLink to="/retranslators" label={words.all} />;
}
