// Without script: the same; every figure is a link to the rows that it counts, and a plain form puts the first steps away.
import { Link } from "@remix-run/react";
import { Fragment } from "react";
import type { Link as LinkedCount } from "../../features/dashboard/dashboard-view";
import type { FirstStep } from "../../features/dashboard/first-steps.server";
import { paths } from "../../paths";
import { Chart } from "../../ui/charts/chart";
import { Badge } from "../../ui/feedback/badge";
import { Button, ButtonLink } from "../../ui/form/button";
import { CardSection } from "../../ui/layout/detail";
import { Card } from "../../ui/layout/page";
import { Timestamp } from "../../ui/layout/timestamp";
import { figure as figureStyle } from "../../ui/layout/layout.css";
import { muted, note, visuallyHidden } from "#styles/global.css";
import * as css from "./dashboard.css";
import type { DashboardData } from "./route";

/** Events of the period, compared with the period before. */
export function KeyFigures({ figures, span }: Pick<DashboardData, "figures" | "span">) {
  return (
    <dl className={css.figures}>
      {figures.map(({ name, value, to, comparison, parts }) => (
        <Card key={name}>
          <dt className={muted}>
            {name} <span className={visuallyHidden}>{span}</span>
          </dt>
          <dd>
            <Link to={to} className={`${figureStyle} ${css.figure}`}>
              {value}
              <span className={visuallyHidden}> {name}</span>
            </Link>
            <p className={note}>
              {comparison.earlier}
              {comparison.change && " · "}
              <b>{comparison.change}</b>
            </p>
            {parts.length > 0 && (
              <p className={`${note} ${css.parts}`}>
                {parts.map((part) => (
                  <Fragment key={part.label}>
                    <Link to={part.to} className={css.count}>
                      {part.value} {part.label}
                    </Link>{" "}
                  </Fragment>
                ))}
              </p>
            )}
          </dd>
        </Card>
      ))}
    </dl>
  );
}

export function ChartCard({ chart }: { chart: DashboardData["chart"] }) {
  return (
    <CardSection title={chart.title}>
      {chart.isEmpty ? (
        <p className={muted}>No redemptions in this period or the one before.</p>
      ) : (
        <Chart {...chart.drawings} />
      )}
    </CardSection>
  );
}

/** Counts codes and machines by their present status. */
export function Aside({ data }: { data: DashboardData }) {
  return (
    <div className={css.main}>
      <CardSection title="Promo Tracker" note="codes by status, now">
        <Counts counts={data.tracker} />
      </CardSection>
      <CardSection title="Machines by Activity">
        <Counts counts={data.machines} />
        <p className={note}>By active codes: High over 10, Medium 5–10, Low&nbsp;1–4</p>
        {data.machinesUpdated && (
          <p className={note}>
            Last updated <Timestamp time={data.machinesUpdated} />
          </p>
        )}
      </CardSection>
      <CardSection title="Codes" note="by discount, now">
        <Counts counts={data.types} />
      </CardSection>
    </div>
  );
}

function Counts({ counts }: { counts: readonly LinkedCount[] }) {
  return (
    <dl className={css.counts}>
      {counts.map(({ label, value, to, tone }) => (
        <Fragment key={label}>
          <dt>
            <Link to={to} className={css.count}>
              {label}
            </Link>
          </dt>
          <dd>{tone ? <Badge tone={tone}>{value}</Badge> : value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

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
