import { useLoaderData } from "@remix-run/react";
import { useState } from "react";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { progress } from "../../ui/feedback/feedback.css";
import { ButtonLink } from "../../ui/form/button";
import { Page } from "../../ui/layout/page";
import { useAreScriptsRunning } from "../../ui/overlay/focus";
import { Cards } from "../cards";
import * as css from "../demo.css";
import { requireDemo } from "../demo.server";
import { numberParam } from "../random";
import { useTimer } from "../use-timer";

const everyMs = 1_500;

/**
 * Returns the next value of the determinate bar: less than 10 more, and 0 after 100.
 * @param random from 0 to 1
 */
function nextProgress(value: number, random: number): number {
  return value >= 100 ? 0 : Math.min(100, value + random * 10);
}

const urlOf = (value: number, isPaused: boolean) => `?value=${value}${isPaused ? "&paused=1" : ""}`;

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
  useTimer(everyMs, isPaused, () => setShown((before) => nextProgress(before, Math.random())));
  const look = (name: string) => (isPaused ? `${name} ${css.paused}` : name);
  const determinate = (
    <>
      <progress aria-label="Progress" max={100} value={shown} className={progress} />
      <p>{`${Math.floor(shown)}%`}</p>
      {!areScriptsRunning && (
        <p>
          <a href={urlOf(next, isPaused)}>Next step</a>
        </p>
      )}
    </>
  );
  return (
    <Page
      title="Progress"
      actions={
        <ButtonLink to={urlOf(value, !isPaused)} replace preventScrollReset>
          {isPaused ? "Resume" : "Pause"}
        </ButtonLink>
      }
    >
      <Cards
        cards={{
          Circular: <div role="img" aria-label="Circular" className={look(css.circular)} />,
          Linear: <div role="img" aria-label="Linear" className={look(css.linear)} />,
          Determinate: determinate,
        }}
      />
    </Page>
  );
}
