// Without script: the same. The page never loads one.
import { Fragment } from "react";
import { CardSection } from "../../ui/layout/detail";
import { FactList } from "../../ui/layout/page";
import { muted } from "#styles/global.css";
import * as css from "./docs.css";
import type { CallView } from "./docs.server";

export function Calls({ groups }: { groups: { name: string; calls: CallView[] }[] }) {
  return groups.map(({ name, calls }) => (
    <CardSection key={name} title={name}>
      {calls.map((call) => (
        <Call key={call.id} call={call} />
      ))}
    </CardSection>
  ));
}

/** Lets a path break after its slashes. */
function breakable(path: string) {
  return path.split("/").map((part, index) => (
    <Fragment key={index}>
      {index > 0 && (
        <>
          /<wbr />
        </>
      )}
      {part}
    </Fragment>
  ));
}

function Call({ call }: { call: CallView }) {
  return (
    <details id={call.id} className={css.call}>
      <summary>
        <strong>{call.method}</strong> <code>{breakable(call.path)}</code>{" "}
        <span className={muted}>{call.summary}</span>
      </summary>
      <FactList
        facts={[
          ["Needs", call.needs],
          ...call.parameters.map(
            ({ name, text }) => [<code key={name}>{name}</code>, text] as const,
          ),
          ...call.answers.map(({ status, text }) => [status, text] as const),
        ]}
      />
      {call.body && (
        <>
          <h3>Body</h3>
          <pre className={css.code}>{call.body}</pre>
        </>
      )}
      {call.result && (
        <>
          <h3>Answer</h3>
          <pre className={css.code}>{call.result}</pre>
        </>
      )}
      <h3>curl</h3>
      <pre className={css.code}>{call.curl}</pre>
      <h3>JavaScript</h3>
      <pre className={css.code}>{call.javascript}</pre>
    </details>
  );
}
