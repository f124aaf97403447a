// Without script: a link that asks again.
import { isRouteErrorResponse, useLocation, useRouteError } from "@remix-run/react";
import { ButtonLink } from "../../ui/form/button";
import { ErrorContent } from "../../ui/layout/error-page";
import { Card, Page } from "../../ui/layout/page";
import { EmptyState } from "../../ui/table/empty-state";

/** Replaces the list. */
export function LoadFailure() {
  const error = useRouteError();
  const { pathname, search } = useLocation();
  // Nothing was read wrongly: the request itself was no good.
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
