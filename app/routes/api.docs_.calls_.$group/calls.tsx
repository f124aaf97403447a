// Without script: the same. The page never loads one.
import type { CallView } from "../_api-docs/calls.server";
import { DocsTable, Example, FieldTable, Words } from "../_api-docs/docs-page";
import { breakable } from "../_api-docs/breakable";
import * as css from "../_api-docs/docs.css";

export function Call({ call }: { call: CallView }) {
  return (
    <section id={call.id} className={css.prose}>
      <h2>{call.summary}</h2>
      <p>
        <strong>{call.method}</strong> <code>{breakable(call.path)}</code>
      </p>
      <p>
        {"Needs: "}
        <Words>{call.needs}</Words>
      </p>
      {call.parameters.length > 0 && (
        <DocsTable head={["Parameter", "Meaning"]} rows={call.parameters} />
      )}
      {call.bodyFields.length > 0 && (
        <>
          <h3>Body</h3>
          <FieldTable fields={call.bodyFields} />
        </>
      )}
      <Example title="curl" code={call.curl} />
      <h3>Answers</h3>
      <DocsTable head={["Status", "Meaning"]} rows={call.answers} />
      {call.result && (
        <>
          <FieldTable fields={call.resultFields} />
          <Example title="Example" code={call.result} />
        </>
      )}
    </section>
  );
}
