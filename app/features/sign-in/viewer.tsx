// Without script: the same.
import { useRouteLoaderData } from "@remix-run/react";
import { muted } from "#styles/global.css";
import { canEdit, isAmong, type Audience, type Reader } from "./user";

/** Returns who is signed in; undefined where the page has no data of the shell, as the answer to a refused form. */
function useReader(): Reader | undefined {
  return (useRouteLoaderData("routes/app") as { user: Reader } | null | undefined)?.user;
}

/** Tells whether the person who is signed in may change anything but the own account (RULES H23). */
export function useCanEdit(): boolean {
  const reader = useReader();
  return reader !== undefined && canEdit(reader);
}

export function useIsAdmin(): boolean {
  return useReader()?.role === "admin";
}

/** Returns what tells whether the person who is signed in may open a screen. */
export function useMayOpen() {
  const reader = useReader();
  return (screen?: { isFor?: Audience }) =>
    !screen?.isFor || (reader !== undefined && isAmong(screen.isFor, reader));
}

/** Tells viewers why they don't see whole codes. */
export function MaskedNote() {
  return useCanEdit() ? null : <p className={muted}>Codes are masked for viewers.</p>;
}
