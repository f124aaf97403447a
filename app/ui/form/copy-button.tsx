// Without script: nothing; the text can be selected.
import { useEffect, useState } from "react";
import { note } from "#styles/global.css";
import { Button } from "./button";

/** Copies a text; rendered only where scripts can write to the clipboard. */
export function CopyButton({ text }: { text: string }) {
  const [canCopy, setCanCopy] = useState(false);
  const [status, setStatus] = useState({ text: "", copies: 0 });
  useEffect(() => setCanCopy("clipboard" in navigator), []);
  if (!canCopy) return null;

  const report = (text: string) => setStatus(({ copies }) => ({ text, copies: copies + 1 }));
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => report("Copied"),
      () => report("Copying failed. Select the text and copy it by hand."),
    );
  return (
    <>
      <Button type="button" variant="quiet" size="small" onClick={copy}>
        Copy
      </Button>
      <span role="status" className={note}>
        {/* An element of its own each time: the second copy is announced, too. */}
        <span key={status.copies}>{status.text}</span>
      </span>
    </>
  );
}
