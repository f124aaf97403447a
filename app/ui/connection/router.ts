/** The parts of Remix's router that are used outside of components. */
export type Address = { pathname: string; search: string; hash: string };

/** Remix creates it when the page is hydrated. */
export type Router = {
  state: {
    location: Address & { key: string };
    navigation: { state: string; location?: Address; formMethod?: string };
    fetchers: Map<string, { state: string; formAction?: string }>;
    loaderData: Record<string, unknown>;
    actionData: unknown;
  };
  navigate(to: Partial<Address>, options: object): Promise<void>;
  subscribe(onChange: (state: Router["state"]) => void): () => void;
};

declare global {
  interface Window {
    __remixRouter?: Router;
  }
}

/** Options of a navigation to the page that is shown. */
export const inPlace = { replace: true, preventScrollReset: true };

/** Runs a task once neither a navigation nor a fetcher is under way. */
export function whenIdle(task: (state: Router["state"]) => void): void {
  const router = window.__remixRouter;
  if (!router) return;
  const isIdle = ({ navigation, fetchers }: Router["state"]) =>
    navigation.state === "idle" && [...fetchers.values()].every(({ state }) => state === "idle");
  if (isIdle(router.state)) return task(router.state);
  const unsubscribe = router.subscribe((state) => {
    if (!isIdle(state)) return;
    unsubscribe();
    task(state);
  });
}
