import { maxMessageBytes, maxStreamBytes } from "../limits.ts";

/** Requests that go where the user said and nowhere else, with answers that have an end. */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: "manual" });
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    const target = response.headers.get("location") ?? "nowhere";
    throw new Error(`it redirects to ${JSON.stringify(target)}: if that is right, configure this address as its url`);
  }
  if (response.body === null) return response;
  const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
  const body = response.body.pipeThrough(limited(isStream ? maxStreamBytes : maxMessageBytes));
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
}

function limited(limitBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > limitBytes) controller.error(new Error(`it sent more than ${limitBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
