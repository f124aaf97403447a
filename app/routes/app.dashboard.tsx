import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../db/site.server";
import { summarisePromotions } from "../features/dashboard/summary.server";
import { pageMeta } from "../forms/page-meta";
import { dateLine } from "../format/date";
import { formatNumber } from "../format/number";
import { screenLoader } from "../http/answers.server";
import { requireUser } from "../http/guards.server";
import { cardGrid, figure } from "../ui/layout/layout.css";
import { Card, Page } from "../ui/layout/page";
import { muted } from "#styles/global.css";

export const meta = pageMeta("Dashboard");

export const loader = screenLoader(requireUser, async () => ({
  summary: await summarisePromotions(),
  // Shown in the shell's navigation bar.
  today: dateLine(new Date(), siteTimeZone()),
}));

export default function Dashboard() {
  const { summary } = useLoaderData<typeof loader>();
  const figures = {
    "Free Drink Promos": summary.freeDrinkPromos,
    "Percentage Promos": summary.percentagePromos,
    "Total Promos": summary.totalPromos,
  };
  return (
    <Page title="Dashboard">
      <dl className={cardGrid}>
        {Object.entries(figures).map(([name, value]) => (
          <Card key={name}>
            <dt className={muted}>{name}</dt>
            <dd className={figure}>{formatNumber(value)}</dd>
          </Card>
        ))}
      </dl>
    </Page>
  );
}
