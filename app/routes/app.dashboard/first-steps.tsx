// Without script: the same; a plain form puts the steps away.
import { Link } from "@remix-run/react";
import type { FirstStep } from "../../features/dashboard/first-steps.server";
import { paths } from "../../paths";
import { Badge } from "../../ui/feedback/badge";
import { Button, ButtonLink } from "../../ui/form/button";
import { CardSection } from "../../ui/layout/detail";
import { muted } from "#styles/global.css";
import * as css from "./dashboard.css";

/** Lists the steps from an empty site to its first redemption; each says whether it is done. */
export function FirstSteps({ steps }: { steps: readonly FirstStep[] }) {
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone, link }) => !isDone && link);
  return (
    <div className={css.first}>
      <CardSection title="First steps" note={`${done} of ${steps.length} done`}>
        <ol className={css.steps}>
          {steps.map((step) => (
            <Step key={step.title} step={step} isNext={step === next} />
          ))}
        </ol>
        <form method="post" action={paths.preferences}>
          <input type="hidden" name="returnTo" value={paths.dashboard} />
          <Button name="steps" value="hidden" variant="quiet" size="small">
            Hide first steps
          </Button>
        </form>
      </CardSection>
    </div>
  );
}

function Step({
  step: { title, isDone, text, link },
  isNext,
}: {
  step: FirstStep;
  isNext: boolean;
}) {
  return (
    <li>
      <strong>{title}</strong> {isDone && <Badge tone="ok">Done</Badge>}
      <p className={muted}>
        {text} {link && !isNext && <Link to={link.to}>{link.label}</Link>}
      </p>
      {link && isNext && (
        <ButtonLink to={link.to} variant="primary" size="small">
          {link.label}
        </ButtonLink>
      )}
    </li>
  );
}
