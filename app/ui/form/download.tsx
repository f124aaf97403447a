// Without script: a link to a file, which the browser saves. With it: the page says how that went.
import { useResolvedPath } from "@remix-run/react";
import { useRef, useState, type MouseEvent } from "react";
import { visuallyHidden } from "#styles/global.css";
import { networkErrorMessage } from "../../forms/network-errors";
import { MessageBlock, type MessageKind } from "../feedback/message-block";
import { isPlainClick } from "../plain-click";
import { ButtonLink, type ButtonLinkProps } from "./button";

/** Larger files are left to the browser: it writes them to disk as they come and can resume them. */
const maxBufferedBytes = 8_000_000;

/** A download counts as unanswered when no byte came for so long. */
const maxStallMs = 30_000;

const tooMany = "You have too many downloads running. Wait until one has ended, and try again.";

type Outcome = { kind: Exclude<MessageKind, "warning">; text: string };

/** Messages by kind of file: after it was saved, and after a failure for which the server gave no reason. */
const messages = {
  qr: { done: "QR code downloaded successfully", failed: "Failed to download QR code" },
  archive: { done: "Archive downloaded successfully", failed: "Error downloading archive" },
};

/** Runs the download of a page and says how it went, until a link or the history leads to another record. */
export function useDownload(kind: keyof typeof messages) {
  const { pathname } = useResolvedPath(".");
  const [last, setLast] = useState({ pathname, isPending: false, outcome: null as Outcome | null });
  const running = useRef<string | null>(null);

  async function start(href: string) {
    if (running.current === pathname) return;
    running.current = pathname;
    setLast({ pathname, isPending: true, outcome: null });
    const outcome = await save(href, messages[kind]);
    // The download of another record may have begun meanwhile.
    if (running.current !== pathname) return;
    running.current = null;
    setLast({ pathname, isPending: false, outcome });
  }
  const isOfThisRecord = last.pathname === pathname;
  return {
    start,
    isPending: isOfThisRecord && last.isPending,
    outcome: isOfThisRecord ? last.outcome : null,
  };
}

export type Download = ReturnType<typeof useDownload>;

async function save(
  href: string,
  { done, failed }: { done: string; failed: string },
): Promise<Outcome> {
  const leaving = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waitForBytes = () => {
    clearTimeout(timer);
    timer = setTimeout(() => leaving.abort(new TypeError("No answer in time")), maxStallMs);
  };
  const failure = (text: string): Outcome => ({ kind: "error", text });
  waitForBytes();
  try {
    const answer = await fetch(href, { signal: leaving.signal });
    // A redirect means that the session ended: the browser follows it to the sign-in page.
    if (answer.redirected) location.assign(href);
    if (answer.status === 429) return failure(tooMany);
    if (!answer.ok || answer.redirected) return failure(failed);
    const length = answer.headers.get("Content-Length");
    if (length === null || Number(length) > maxBufferedBytes) {
      leaving.abort();
      followLink(href, "");
      return { kind: "info", text: "The download has started. Your browser shows its progress." };
    }
    const bytes = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, out) {
        waitForBytes();
        out.enqueue(chunk);
      },
    });
    const file = new Response(answer.body?.pipeThrough(bytes), answer);
    const url = URL.createObjectURL(await file.blob());
    followLink(url, fileNameOf(answer));
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    return { kind: "success", text: done };
  } catch (cause) {
    return failure(
      await networkErrorMessage(cause, failed, "No answer from the server. Try again."),
    );
  } finally {
    clearTimeout(timer);
  }
}

function followLink(href: string, fileName: string) {
  const link = document.createElement("a");
  link.href = href;
  link.download = fileName;
  link.click();
}

function fileNameOf(answer: Response): string {
  const header = answer.headers.get("Content-Disposition") ?? "";
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(header)?.[1];
  return encoded ? decodeURIComponent(encoded) : (/filename="([^"]+)"/.exec(header)?.[1] ?? "");
}

export function DownloadLink({
  to,
  download,
  children,
  ...look
}: Pick<ButtonLinkProps, "variant" | "children"> & { to: string; download: Download }) {
  function onClick(event: MouseEvent) {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    void download.start(to);
  }
  return (
    <ButtonLink
      {...look}
      to={to}
      icon="download"
      reloadDocument
      download
      onClick={onClick}
      aria-disabled={download.isPending || undefined}
    >
      {download.isPending ? "Downloading..." : children}
    </ButtonLink>
  );
}

/** Stands in the page before it has anything to say, so that it is read out when it has. */
export function DownloadOutcome({ download: { outcome } }: { download: Download }) {
  // An empty one takes no room.
  const region = (role: "status" | "alert", isMine: boolean) => (
    <div role={role} className={isMine ? undefined : visuallyHidden}>
      {outcome && isMine && <MessageBlock kind={outcome.kind}>{outcome.text}</MessageBlock>}
    </div>
  );
  return (
    <>
      {region("status", outcome !== null && outcome.kind !== "error")}
      {region("alert", outcome?.kind === "error")}
    </>
  );
}
