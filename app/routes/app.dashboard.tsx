import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../db/site.server";
import { summarisePromotions } from "../features/dashboard/summary.server";
import { formMeta } from "../forms/form-meta";
import { dateLine } from "../format/date";
import { formatNumber } from "../format/number";
import { screenLoader } from "../http/answers.server";
import { requireUser } from "../http/guards.server";
import { cardGrid, figure } from "../ui/layout/layout.css";
import { Card, Page } from "../ui/layout/page";
import { muted } from "#styles/global.css";

export const meta = formMeta("Dashboard");

export const loader = screenLoader(requireUser, async () => {
  return {
    summary: await summarisePromotions(),
    // Shown in the shell's navigation bar.
    today: dateLine(new Date(), siteTimeZone()),
  };
});

export default function Dashboard() {
  const { summary } = useLoaderData<typeof loader>();
  const cards = [
    { title: "Free Drink Promos", value: summary.freeDrinkPromos },
    { title: "Percentage Promos", value: summary.percentagePromos },
    { title: "Total Promos", value: summary.totalPromos },
  ];
  return (
    <Page title="Dashboard">
      <dl className={cardGrid}>
        {cards.map(({ title, value }) => (
          <Card key={title}>
            <dt className={muted}>{title}</dt>
            <dd className={figure}>{formatNumber(value)}</dd>
          </Card>
        ))}
      </dl>
    </Page>
  );
}
