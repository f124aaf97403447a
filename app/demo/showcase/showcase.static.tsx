import type { ComponentType } from "react";
import { Page } from "../../ui/layout/page";
import { BadgePage } from "./ui-badge";

export type ShowcaseProps = { query: URLSearchParams };

const pages: Record<string, ComponentType<ShowcaseProps>> = {
  "ui/badge": BadgePage,
};

/** Renders one page of the demo area on the server. */
export default function Showcase({
  path,
  title,
  search,
}: {
  path: string;
  title: string;
  search: string;
}) {
  const Content = pages[path.replace(/^\/app\//, "")]!;
  return (
    <Page title={title}>
      <Content query={new URLSearchParams(search)} />
    </Page>
  );
}
