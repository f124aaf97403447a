// Without script: a GET form; what is searched is in the address.
import { json, redirect } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { noteOnShortText } from "../../features/promotions/list/promotion-filters";
import { search, searchText } from "../../features/search/search.server";
import { canEdit, type Reader } from "../../features/sign-in/user";
import { visuallyHidden } from "#styles/global.css";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Button } from "../../ui/form/button";
import { InputField, useFollowingFields } from "../../ui/form/field";
import { Page } from "../../ui/layout/page";
import { describeFound, Results } from "./results";
import * as css from "./search.css";

export const meta = pageMeta<{ text: string }>((data) => data?.text);

/** Leads to the page of the one thing that has the text as its code, serial number, redemption id or mail address. */
export const loader = screenLoader(requireUser, async ({ request }, { user }) => {
  const text = searchText(new URL(request.url).searchParams);
  const codesNote = noteOnShortText(text, user);
  const isAdmin = user.role === "admin";
  const advice = adviceFor(user, codesNote);
  if (text === "") return json({ text, codesNote, advice, isAdmin, results: null });
  const { page, results } = await search(text, user);
  if (page) throw redirect(page);
  return json({ text, codesNote, advice, isAdmin, results });
});

/** Viewers find no code by a part of it, and see none that looks alike (RULES H23). */
function adviceFor(reader: Reader, codesNote: string | null): string | null {
  if (canEdit(reader)) return "Search for a part of it, or check it as a code to see similar ones.";
  return codesNote ? null : "Search for a whole code, its last 4 characters, or a part of a name.";
}

export default function Search() {
  const { text, codesNote, advice, isAdmin, results } = useLoaderData<typeof loader>();
  const form = useFollowingFields({ q: text });
  return (
    <Page title="Search">
      <Form
        ref={form}
        method="get"
        action={paths.search}
        role="search"
        aria-label="Page"
        className={css.form}
      >
        <InputField
          id="search-text"
          name="q"
          type="search"
          label="Search for"
          hint={
            isAdmin
              ? "A code, campaign, machine, redemption ID or email address, or a part of a name."
              : "A code, campaign, machine or redemption ID, or a part of a name."
          }
          defaultValue={text}
          // eslint-disable-next-line jsx-a11y/no-autofocus -- what this screen is opened for
          autoFocus={results === null}
        />
        <Button variant="primary">Search</Button>
      </Form>
      <p role="status" className={visuallyHidden}>
        {results && describeFound(results)}
      </p>
      <div className={css.results}>
        {codesNote && <MessageBlock kind="info">{codesNote}</MessageBlock>}
        {results && <Results text={text} results={results} advice={advice} />}
      </div>
    </Page>
  );
}
