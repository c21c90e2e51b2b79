import { execFile } from "node:child_process";
import { maxAttachmentBytes, mediaTypeOf } from "../attachments.ts";

type Found = { readonly mediaType: string; readonly data: string } | { readonly problem: string };

/** Programs that write the clipboard's picture, as a PNG, to standard output; the first that is installed is asked. */
const readers: readonly (readonly [program: string, ...args: readonly string[]])[] = [
  ["wl-paste", "--no-newline", "--type", "image/png"],
  ["xclip", "-selection", "clipboard", "-target", "image/png", "-out"],
  ["pngpaste", "-"],
  ["powershell.exe", "-NoProfile", "-NonInteractive", "-STA", "-Command", powershellScript()],
];

const readMs = 5000;

/** The picture on the clipboard, as base64, or why there is none. */
export async function clipboardImage(env: NodeJS.ProcessEnv): Promise<Found> {
  for (const [program, ...args] of readers) {
    const answer = await output(program, args, env);
    if (answer === "missing") continue;
    if (answer === "too large")
      return { problem: `The picture on the clipboard has more than ${maxAttachmentBytes / 1024 / 1024} MB.` };
    if (answer === "too slow")
      return { problem: `${program} did not answer within ${readMs / 1000} s; attach a file with @ instead.` };
    const mediaType = mediaTypeOf(answer);
    if (answer.length > 0 && mediaType?.startsWith("image/") === true)
      return { mediaType, data: answer.toString("base64") };
    return { problem: `${program} finds no picture on the clipboard.` };
  }
  const names = readers.map(([program]) => program).join(", ");
  return { problem: `A picture is read from the clipboard by one of ${names}, and none is installed.` };
}

/** What a program writes; of one that fails, nothing. */
function output(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Buffer | "missing" | "too large" | "too slow"> {
  return new Promise((resolve) => {
    const options = { encoding: "buffer", env, maxBuffer: maxAttachmentBytes, timeout: readMs } as const;
    const child = execFile(program, args, options, (error, stdout) => {
      if (error === null) resolve(stdout);
      else if (error.code === "ENOENT" || error.code === "EACCES") resolve("missing");
      else if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") resolve("too large");
      else resolve(error.killed === true ? "too slow" : Buffer.alloc(0));
    });
    child.stdin?.end();
  });
}

function powershellScript(): string {
  return [
    "Add-Type -AssemblyName System.Windows.Forms,System.Drawing",
    "$image = [Windows.Forms.Clipboard]::GetImage()",
    "if ($image -eq $null) { exit 1 }",
    "$bytes = New-Object IO.MemoryStream",
    "$image.Save($bytes, [Drawing.Imaging.ImageFormat]::Png)",
    "$bytes.WriteTo([Console]::OpenStandardOutput())",
  ].join("; ");
}
