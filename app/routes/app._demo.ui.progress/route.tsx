import { useLoaderData } from "@remix-run/react";
import { useState } from "react";
import { demoCrumbs } from "../../demo/crumbs";
import "../../demo/demo.css";
import * as shared from "../../demo/demo.css";
import * as css from "../../demo/showcase/pages.css";
import { requireDemo } from "../../demo/guard.server";
import { nextProgress, progressEveryMs } from "../../demo/showcase/progress";
import { numberParam } from "../../demo/showcase/random";
import { useTimer } from "../../demo/showcase/use-timer";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { ButtonLink } from "../../ui/form/button";
import { cardSection } from "../../ui/layout/layout.css";
import { Card, Page } from "../../ui/layout/page";
import { useAreScriptsRunning } from "../../ui/overlay/focus";

export const handle = { crumbs: demoCrumbs };
export const meta = pageMeta("Progress");

export const loader = screenLoader(requireDemo, async ({ request }) => {
  const query = new URL(request.url).searchParams;
  const value = numberParam(query, "value", { from: 0, to: 100, none: 0 });
  const next = Math.floor(nextProgress(value, Math.random()));
  return { value, next, isPaused: query.has("paused") };
});

/** Without script: a link moves the bar on; pausing stops the other bars too. */
export default function Progress() {
  const { value, next, isPaused } = useLoaderData<typeof loader>();
  const [shown, setShown] = useState(value);
  const areScriptsRunning = useAreScriptsRunning();
  useTimer(progressEveryMs, {
    isOff: isPaused,
    tick: () => setShown((before) => nextProgress(before, Math.random())),
  });
  const tones = Object.keys(css.progress) as (keyof typeof css.progress)[];
  const look = (name: string) => (isPaused ? `${name} ${css.paused}` : name);
  return (
    <Page
      title="Progress"
      actions={
        <ButtonLink to={isPaused ? "?" : "?paused=1"} replace preventScrollReset>
          {isPaused ? "Resume" : "Pause"}
        </ButtonLink>
      }
    >
      <div className={shared.grid}>
        <Card className={cardSection}>
          <h2>Circular</h2>
          <div className={shared.row}>
            {tones.map((tone) => (
              <svg
                key={tone}
                viewBox="0 0 40 40"
                role="img"
                aria-label={`Circular progress, ${tone}`}
                className={look(`${css.circle} ${css.progress[tone]}`)}
              >
                <circle cx="20" cy="20" r="16" pathLength={100} />
              </svg>
            ))}
          </div>
        </Card>
        <Card className={cardSection}>
          <h2>Linear</h2>
          {tones.map((tone) => (
            <div
              key={tone}
              role="img"
              aria-label={`Linear progress, ${tone}`}
              className={look(`${css.track} ${css.progress[tone]}`)}
            />
          ))}
        </Card>
        <Card className={cardSection}>
          <h2>Determinate</h2>
          <progress aria-label="Progress" max={100} value={shown} className={css.bar100} />
          <p>{`${Math.floor(shown)}%`}</p>
          {!areScriptsRunning && (
            <p>
              <a href={`?value=${next}`}>Next step</a>
            </p>
          )}
        </Card>
      </div>
    </Page>
  );
}
