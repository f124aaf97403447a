// Without script: the same.
import { Link } from "@remix-run/react";
import { ActivityBadge } from "../../features/machines/activity-badge";
import { paths } from "../../paths";
import { facts } from "../../ui/layout/layout.css";
import { Card, Fact } from "../../ui/layout/page";
import { muted } from "#styles/global.css";
import * as css from "./machine-page.css";
import type { PageView } from "./page-view";

/** Facts about a machine and its redemptions. */
export function Facts({ page }: { page: PageView }) {
  const { machine, promotions } = page;
  return (
    <div className={css.parts}>
      <dl className={css.figures}>
        {page.figures.map(({ name, value }) => (
          <Card key={name} className={css.figureCard}>
            <dt className={muted}>{name}</dt>
            <dd className={css.value}>{value}</dd>
          </Card>
        ))}
      </dl>
      <Card>
        <dl className={facts}>
          <Fact name="Serial number">{machine.serialNumber}</Fact>
          <Fact name="Activity">
            <ActivityBadge activity={page.activity} />
          </Fact>
          <Fact name="Last active">
            <Moment at={machine.lastActive} />
          </Fact>
          <Fact name="Last seen">
            <Moment at={machine.lastSeen} />
          </Fact>
          <Fact name="Active promos">
            {promotions.words}
            {promotions.isAny && (
              <>
                {", "}
                <Link to={paths.machinePromotions(machine.serialNumber)}>show them</Link>
              </>
            )}
          </Fact>
          <Fact name="Groups">
            {machine.groups.length === 0 ? (
              "None"
            ) : (
              <ul className={css.groups}>
                {machine.groups.map(({ id, name }) => (
                  <li key={id}>
                    <Link to={paths.machineGroup(id)}>{name}</Link>
                  </li>
                ))}
              </ul>
            )}
          </Fact>
        </dl>
      </Card>
    </div>
  );
}

function Moment({ at }: { at: { iso: string; words: string } | null }) {
  return at ? <time dateTime={at.iso}>{at.words}</time> : <>Never</>;
}
