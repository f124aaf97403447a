// Without script: the same.
import { useRouteLoaderData } from "@remix-run/react";
import { muted } from "#styles/global.css";
import { canEdit, type Reader } from "./user";

/** Tells whether the person who is signed in may change anything but the own account (RULES H23). */
export function useCanEdit(): boolean {
  // A form that was refused is answered without the data of the shell.
  const shell = useRouteLoaderData("routes/app") as { user: Reader } | null | undefined;
  return shell ? canEdit(shell.user) : false;
}

/** Tells viewers why they don't see whole codes. */
export function MaskedNote() {
  return useCanEdit() ? null : <p className={muted}>Codes are masked for viewers.</p>;
}
