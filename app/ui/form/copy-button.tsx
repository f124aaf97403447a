// Without script: nothing; the text can be selected.
import { useEffect, useState } from "react";
import { note } from "#styles/global.css";
import { Button } from "./button";

/** Copies a text; rendered only where scripts can write to the clipboard. */
export function CopyButton({ text }: { text: string }) {
  const [canCopy, setCanCopy] = useState(false);
  const [status, setStatus] = useState("");
  useEffect(() => setCanCopy("clipboard" in navigator), []);
  if (!canCopy) return null;

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setStatus("Copied");
    } catch {
      setStatus("Copying failed. Select the text and copy it by hand.");
    }
  }
  return (
    <>
      <Button type="button" variant="quiet" size="small" onClick={copy}>
        Copy
      </Button>
      <span role="status" className={note}>
        {status}
      </span>
    </>
  );
}
