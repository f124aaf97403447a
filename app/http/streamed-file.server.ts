/** Files that are sent while they are being made (rulings 6.9): no faster than the client reads. */

type Chunk = string | Uint8Array;

/**
 * The answer with a file made of `chunks`, begun before there is an answer: what fails at the first
 * chunk is an error with its status and not half a file. When the client leaves, the generator ends.
 * @param chunks null answers a HEAD
 */
export async function streamedFile(
  chunks: AsyncGenerator<Chunk> | null,
  {
    fileName,
    headers,
    status = 200,
  }: { fileName: string; headers: Record<string, string>; status?: number },
): Promise<Response> {
  const body = chunks && toStream(chunks, await chunks.next());
  return new Response(body, {
    status,
    headers: { ...headers, "Content-Disposition": `attachment; filename="${fileName}"` },
  });
}

function toStream(chunks: AsyncGenerator<Chunk>, first: IteratorResult<Chunk>) {
  const encoder = new TextEncoder();
  let next: IteratorResult<Chunk> | null = first;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = next ?? (await chunks.next());
        next = null;
        if (done) controller.close();
        else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    // Nothing is made before it is asked for.
    { highWaterMark: 0 },
  );
}
