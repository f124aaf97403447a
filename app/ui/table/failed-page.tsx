// Without script: the same.
import {
  isRouteErrorResponse,
  useLocation,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import { ButtonLink } from "../form/button";
import { ErrorContent } from "../layout/error-page";
import { Card, Page } from "../layout/page";
import { EmptyState } from "./list-notes";

/**
 * The error boundary of a screen whose data can't be read: its title stays, and its address can be tried again. A
 * request that was wrong itself gets the error page, and so does a dialog over the screen.
 */
export function FailedPage({
  routeId,
  title,
  failure,
}: {
  routeId: string;
  title: string;
  failure: string;
}) {
  const error = useRouteError();
  const { pathname, search } = useLocation();
  // Null, not undefined, where an action failed and the loader was not called.
  const isLoaded = useRouteLoaderData(routeId) !== undefined;
  if (isLoaded || (isRouteErrorResponse(error) && error.status < 500))
    return <ErrorContent error={error} />;
  return (
    <Page title={title}>
      <Card>
        <EmptyState
          icon="alert"
          title={failure}
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
