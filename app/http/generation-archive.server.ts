import { generationArchive } from "../features/mass-generations/generation-archive.server";
import { resumableFile } from "./resumable-file.server";

/**
 * The archive of a mass generation, for the API and for the screen.
 * @throws DomainError not_found; conflict: the generation is deleted
 */
export async function generationArchiveResponse(
  request: Request,
  massGenerationId: string,
): Promise<Response> {
  return resumableFile(request, await generationArchive(massGenerationId), "application/zip");
}
