import { Box, Button, Card, Divider, Group, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { openSession } from "../session/session.ts";
import { readDemoLogin, type SecondStep, signIn } from "../session/sign-in.ts";
import { LANGUAGE_NAMES, LANGUAGES, type Language } from "../text/texts.ts";
import { useLanguage, useTexts } from "../text/use-texts.tsx";
import { CodeForm } from "./code-form.tsx";
import { Logo } from "./logo.tsx";
import { PasswordForm } from "./password-form.tsx";
import { RecoveryForm } from "./recovery-form.tsx";
import styles from "./sign-in.module.css";
import { signInError } from "./sign-in-error.ts";

type Step = "password" | "recovery" | SecondStep;

/** Stands at every address while nobody has signed in: afterwards the user is where the address leads. */
export function SignInPage() {
  const { session, frame } = useTexts();
  const [step, setStep] = useState<Step>("password");
  const title = step === "password" ? session.title : step === "recovery" ? session.recovery.title : session.code.title;
  useEffect(() => {
    document.title = `${title} · ${frame.product}`;
  }, [title, frame]);
  return (
    <Box component="main" className={styles.page}>
      <Card withBorder shadow="sm" padding="xl" radius="lg" className={styles.card}>
        <Stack gap="xs" mb="lg">
          <Group gap="sm">
            <Logo />
            <Text fw={700}>{frame.product}</Text>
          </Group>
          <Title order={1} size="h2">
            {title}
          </Title>
          {step === "password" && <Text c="dimmed">{session.subtitle}</Text>}
        </Stack>
        <Steps step={step} onStep={setStep} />
        {step === "password" && <DemoButton />}
      </Card>
      <LanguageSwitch />
    </Box>
  );
}

function Steps({ step, onStep }: { step: Step; onStep(step: Step): void }) {
  const [login, setLogin] = useState("");
  const [stays, setStays] = useState(false);
  const back = () => onStep("password");
  if (step === "recovery") return <RecoveryForm login={login} onLogin={setLogin} onBack={back} />;
  const open = (hash: string) => openSession({ hash, login: login.trim() }, stays);
  if (step !== "password") return <CodeForm step={step} onDone={open} onBack={back} />;
  return (
    <PasswordForm
      {...{ login, stays }}
      onLogin={setLogin}
      onStays={setStays}
      onDone={(outcome) => (typeof outcome === "string" ? open(outcome) : onStep(outcome))}
      onForgotten={() => onStep("recovery")}
    />
  );
}

/** One press signs in to the demo account, on systems that have one. */
function DemoButton() {
  const texts = useTexts();
  const { data: demo } = useQuery({ queryKey: ["demo"], queryFn: readDemoLogin, staleTime: Number.POSITIVE_INFINITY });
  const [error, setError] = useState("");
  const [isBusy, setBusy] = useState(false);
  if (!demo) return null;
  const enter = async () => {
    setBusy(true);
    try {
      const hash = await signIn(demo.login, demo.password);
      if (typeof hash === "string") openSession({ hash, login: demo.login }, false);
    } catch (thrown) {
      setError(signInError(thrown, texts));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack gap={6} mt="lg">
      <Divider mb="xs" />
      <Button variant="light" fullWidth loading={isBusy} onClick={() => void enter()}>
        {texts.session.demo}
      </Button>
      <Text size="sm" c="dimmed" ta="center">
        {error || texts.session.demoHint}
      </Text>
    </Stack>
  );
}

function LanguageSwitch() {
  const { language, choose, texts } = useLanguage();
  return (
    <SegmentedControl
      aria-label={texts.frame.language}
      value={language}
      onChange={(value) => void choose(value as Language)} // the values are those of `data`
      data={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
    />
  );
}
