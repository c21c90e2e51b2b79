/** The variable that holds the program's environment for the relay, as JSON. */
export const programEnvironmentVariable = "CAPSTAN_PROGRAM_ENVIRONMENT";

/**
 * Runs inside: listens on a port of the sandbox's own loopback, carries each connection over the one stream that leads out (HTTP/2,
 * a stream for each), and starts the program of its arguments with the proxy in its environment. Ends as the program ends.
 * Arguments: descriptor of the stream, 1 when local connections are to be proxied as well, program, its arguments.
 */
export const relayScript: string = String.raw`
"use strict";
const { spawn } = require("node:child_process");
const { connect } = require("node:http2");
const { createServer, Socket } = require("node:net");
const { constants } = require("node:os");

const [descriptor, proxyLocal, file, ...args] = process.argv.slice(1);
const environment = JSON.parse(process.env.${programEnvironmentVariable});
const channel = new Socket({ fd: Number(descriptor), readable: true, writable: true });
const session = connect("http://capstan", { createConnection: () => channel });
session.on("error", () => {});
const server = createServer({ allowHalfOpen: true }, (socket) => {
  if (session.destroyed) return void socket.destroy();
  const stream = session.request({ ":method": "POST", ":path": "/" }, { endStream: false });
  stream.on("error", () => socket.destroy());
  stream.on("close", () => socket.destroySoon());
  socket.on("error", () => stream.close());
  socket.on("close", () => stream.close());
  socket.pipe(stream).pipe(socket);
});
server.listen(0, "127.0.0.1", () => {
  const proxy = "http://127.0.0.1:" + server.address().port;
  const direct = proxyLocal === "1" ? "" : "localhost,127.0.0.1,::1";
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "npm_config_proxy", "npm_config_https_proxy"])
    environment[name] = proxy;
  for (const name of ["NO_PROXY", "no_proxy", "npm_config_noproxy"]) environment[name] = direct;
  environment.NODE_USE_ENV_PROXY = "1";
  let child;
  // The listener is there before the program: its first act may be to signal us.
  for (const signal of ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR2"]) process.on(signal, () => child?.kill(signal));
  child = spawn(file, args, { env: environment, stdio: "inherit" });
  child.on("exit", (code, signal) => process.exit(signal === null ? code : 128 + constants.signals[signal]));
  child.on("error", (error) => {
    console.error(file + ": " + error.message);
    process.exit(error.code === "ENOENT" ? 127 : 126);
  });
});
`;
