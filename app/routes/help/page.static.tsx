// Without script: the same. The page is never hydrated.
import { useLoaderData } from "@remix-run/react";
import { paths } from "../../paths";
import { cardSection } from "../../ui/layout/layout.css";
import { PublicPage } from "../../ui/layout/public-page";
import { accessibilityAnswers, signInAnswers, type Answer } from "../_help/answers";

export default function Help() {
  const { isSignedIn } = useLoaderData<{ isSignedIn: boolean }>();
  return (
    <PublicPage title="Help" text="For everybody, signed in or not." isHelp>
      <Answers id="sign-in" title="Signing in" answers={signInAnswers} />
      <Answers id="accessibility" title="Accessibility" answers={accessibilityAnswers} />
      {isSignedIn ? <a href={paths.home}>Back to Home</a> : <a href={paths.login}>Back to login</a>}
    </PublicPage>
  );
}

function Answers({ id, title, answers }: { id: string; title: string; answers: Answer[] }) {
  return (
    <section id={id} className={cardSection}>
      <h2>{title}</h2>
      {answers.map(([question, answer]) => (
        <section key={question}>
          <h3>{question}</h3>
          <p>{answer}</p>
        </section>
      ))}
    </section>
  );
}
