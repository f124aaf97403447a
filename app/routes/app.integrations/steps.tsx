// Without script: the same; the example can be selected.
import { paths } from "../../paths";
import { Badge } from "../../ui/feedback/badge";
import { CopyButton } from "../../ui/form/copy-button";
import { CardSection } from "../../ui/layout/detail";
import { entries } from "../../ui/layout/layout.css";
import { muted } from "#styles/global.css";
import * as docs from "../_api-docs/docs.css";
import type { IntegrationsData } from "./route";

/** Lists the steps from no key to the first redemption; each says whether it is done. */
export function ConnectSteps({ steps }: { steps: IntegrationsData["steps"] }) {
  const { keys, curl, first, keyPage } = steps;
  return (
    <CardSection title="Connect machines">
      <ol className={entries}>
        <li>
          <Step number={1} title="Create a key" isDone={keys !== null} />
          <p className={muted}>
            {keys ?? "An integration holds the keys of one system. You create them on its page."}{" "}
            <a href={keyPage ?? "#new-integration"}>
              {keyPage ? "Create a key" : "Create an integration"}
            </a>
          </p>
        </li>
        <li>
          <Step number={2} title="Redeem a code" isDone={first !== null} />
          {curl === null ? (
            <p className={muted}>
              No machine accepts a code yet.{" "}
              <a href={paths.qrGeneration}>Create a code and choose a machine</a>
            </p>
          ) : (
            <>
              <p className={muted}>
                With the key as API_KEY. This code and this machine are real: it takes one use.
              </p>
              <pre id="first-redemption" className={docs.code}>
                {curl}
              </pre>
              <CopyButton text={curl} />
            </>
          )}
        </li>
        <li>
          <Step number={3} title="First redemption seen" isDone={first !== null} />
          <p className={muted}>
            {first ? (
              <>
                {first.text} <a href={first.to}>Show transactions</a>
              </>
            ) : (
              <>
                Not yet. <a href={paths.integrations}>Refresh</a>
              </>
            )}
          </p>
        </li>
      </ol>
    </CardSection>
  );
}

function Step({ number, title, isDone }: { number: number; title: string; isDone: boolean }) {
  return (
    <h3>
      {`${number}. ${title} `}
      {isDone && <Badge tone="ok">Done</Badge>}
    </h3>
  );
}
