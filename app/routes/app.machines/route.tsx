import { json, type SerializeFrom } from "@remix-run/node";
import {
  isRouteErrorResponse,
  Outlet,
  useLoaderData,
  useLocation,
  useRouteError,
  type ClientLoaderFunctionArgs,
} from "@remix-run/react";
import { useEffect } from "react";
import { PlatformNotes } from "../../features/machines/platform-notes";
import { formMeta } from "../../forms/form-meta";
import { formatNumber } from "../../format/number";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { unavailableAs } from "../../http/machine-routes.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { notes } from "../../ui/layout/layout.css";
import { ErrorContent } from "../../ui/layout/error-page";
import { Card, Page } from "../../ui/layout/page";
import { keepUnderDialogs } from "../../ui/overlay/dialog-route";
import { EmptyState, ListNotes } from "../../ui/table/list-notes";
import { createListCache } from "../../ui/table/list-cache";
import { visuallyHidden } from "#styles/global.css";
import * as css from "./list.css";
import { readListScreen } from "./list-screen.server";
import { MachineTable, NoRows, SearchForm } from "./machine-table";

export type MachineListData = SerializeFrom<typeof loader>;

const listCache = createListCache<MachineListData>({
  failure: "Failed to load machines data.",
  showsAge: true,
});

export const handle = { hasTable: (list?: MachineListData) => Boolean(list?.total) };

export const meta = formMeta("Machines");

export const loader = screenLoader(requireUser, async (args, { user }) => {
  const { data, headers } = await unavailableAs("Failed to load machines data", args, () =>
    readListScreen(args.request),
  );
  return json({ ...data, canConfirm: user.role === "admin" }, { headers });
});

export function clientLoader({ serverLoader }: ClientLoaderFunctionArgs) {
  return listCache.load(() => serverLoader<typeof loader>());
}

export const shouldRevalidate = keepUnderDialogs(({ searchParams }) =>
  [...searchParams].filter(([name]) => name !== "promos_page").join("&"),
);

export default function Machines() {
  const list = useLoaderData<typeof loader>();
  useEffect(() => listCache.store(list), [list]);
  const { total, staleReason } = list;
  return (
    <Page
      title="Machines"
      actions={<ButtonLink to={paths.machineGroups}>Machine groups</ButtonLink>}
    >
      <div role="status" className={staleReason ? notes : undefined}>
        {staleReason && <MessageBlock kind="error">{staleReason}</MessageBlock>}
      </div>
      <ListNotes list={{ ...list, staleReason: null }} />
      <PlatformNotes state={list.platform} canConfirm={list.canConfirm} />
      <Outlet />
      <SearchForm list={list} />
      <p role="status" className={visuallyHidden}>
        {`${formatNumber(total)} ${total === 1 ? "machine" : "machines"}`}
      </p>
      <div className={css.rows}>
        {total === 0 ? <NoRows list={list} /> : <MachineTable list={list} />}
      </div>
    </Page>
  );
}

/** Replaces the list by a link that asks again. */
export function ErrorBoundary() {
  const error = useRouteError();
  const { pathname, search } = useLocation();
  // The request itself was wrong.
  if (isRouteErrorResponse(error) && error.status < 500) return <ErrorContent error={error} />;
  return (
    <Page title="Machines">
      <Card>
        <EmptyState
          icon="alert"
          title="Failed to load machines data"
          reason="Nothing that was saved is lost. Please try again in a moment."
          action={
            <ButtonLink to={pathname + search} variant="primary" icon="refresh">
              Try Again
            </ButtonLink>
          }
        />
      </Card>
    </Page>
  );
}
