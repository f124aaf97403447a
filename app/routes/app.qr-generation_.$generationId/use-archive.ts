import { useSearchParams } from "@remix-run/react";
import { useEffect } from "react";
import { paths } from "../../paths";
import { useDownload } from "../../ui/form/download";

/**
 * Saving the archive. After generating it starts by itself, once: the address that asks for it
 * leaves the history, so that neither a reload nor Back starts it again.
 */
export function useArchive(generationId: string) {
  const download = useDownload({
    done: "Archive downloaded successfully",
    failed: "Error downloading archive",
  });
  const [params, setParams] = useSearchParams();
  const isNew = params.has("download");
  useEffect(() => {
    if (!isNew) return;
    void download.start(paths.generationArchive(generationId));
    setParams(
      (current) => {
        current.delete("download");
        return current;
      },
      { replace: true, preventScrollReset: true },
    );
    // Once, for the address that asks for it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isNew, generationId]);
  return download;
}
