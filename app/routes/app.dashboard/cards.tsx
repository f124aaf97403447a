// Without script: the same; every figure is a link to the rows that it counts.
import { Link } from "@remix-run/react";
import { Fragment } from "react";
import type { Link as LinkedCount } from "../../features/dashboard/dashboard-view";
import { paths } from "../../paths";
import { Chart } from "../../ui/charts/chart";
import { Badge } from "../../ui/feedback/badge";
import { ButtonLink } from "../../ui/form/button";
import { CardSection } from "../../ui/layout/detail";
import { Card } from "../../ui/layout/page";
import { figure as figureStyle } from "../../ui/layout/layout.css";
import { useSite } from "../../ui/layout/site-name";
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
            </Link>
            <p className={note}>
              {comparison.earlier} <b>{comparison.change}</b>
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

/** How promotions and machines stand now. */
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
            Last updated{" "}
            <time dateTime={data.machinesUpdated.iso}>{data.machinesUpdated.text}</time>
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

/** Steps to take before the first redemption. */
export function FirstSteps({ data }: { data: DashboardData }) {
  const { name } = useSite();
  return (
    <div className={css.first}>
      <CardSection title={data.hasPromotions ? "No redemptions yet" : `Welcome to ${name}`}>
        <ol className={css.steps}>
          <li>
            {data.hasPromotions
              ? `You have ${data.total}. Print the codes or send them out.`
              : "Create a code and assign it to machines."}
          </li>
          <li>
            {data.canManageIntegrations ? (
              <>
                Give your machines a key on <Link to={paths.integrations}>Integrations</Link>, so
                that they can redeem codes.
              </>
            ) : (
              "Ask an admin for a key on Integrations, so that machines can redeem codes."
            )}
          </li>
          <li>Each redemption then appears here.</li>
        </ol>
        {!data.hasPromotions && (
          <p>
            <ButtonLink to={paths.qrGeneration} variant="primary">
              Create your first QR code
            </ButtonLink>
          </p>
        )}
      </CardSection>
    </div>
  );
}
