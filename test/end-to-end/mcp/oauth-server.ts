import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

/** An MCP server with one tool, behind an authorization server, both on one address of this machine. */
export interface OAuthServer {
  readonly url: string;
  /** Tokens that were given out, oldest first. */
  readonly tokens: readonly string[];
  readonly registered: readonly unknown[];
  /** Tokens that count no more, so that they have to be renewed. */
  expire(): void;
  /** Lets in whoever sends this header. */
  allow(authorization: string): void;
}

const usualPath = "/.well-known/oauth-protected-resource";

/** @param advertised  where its metadata lie, and what it wants to be asked for, as its refusal alone says */
export async function startOAuthServer(
  advertised: { readonly path: string; readonly scope: string } | null = null,
): Promise<OAuthServer> {
  const codes = new Map<string, { readonly challenge: string; readonly redirect: string }>();
  const tokens: string[] = [];
  const valid = new Set<string>();
  const refreshes = new Set<string>();
  const registered: unknown[] = [];
  let origin = "";

  const give = (response: ServerResponse): void => {
    const token = `access-${randomBytes(8).toString("hex")}`;
    const refresh = `refresh-${randomBytes(8).toString("hex")}`;
    tokens.push(token);
    valid.add(token);
    refreshes.add(refresh);
    json(response, { access_token: token, refresh_token: refresh, token_type: "Bearer", expires_in: 3600 });
  };

  const exchange = (form: URLSearchParams, response: ServerResponse): void => {
    if (form.get("grant_type") === "refresh_token") {
      if (refreshes.delete(form.get("refresh_token") ?? "")) give(response);
      else json(response, { error: "invalid_grant" }, 400);
      return;
    }
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (code?.challenge === challenge && code.redirect === form.get("redirect_uri")) give(response);
    else json(response, { error: "invalid_grant" }, 400);
  };

  const authorize = (query: URLSearchParams, response: ServerResponse): void => {
    if (advertised !== null && query.get("scope") !== advertised.scope) return json(response, {}, 400);
    const code = randomBytes(8).toString("hex");
    const redirect = query.get("redirect_uri") ?? "";
    codes.set(code, { challenge: query.get("code_challenge") ?? "", redirect });
    const back = new URL(redirect);
    back.searchParams.set("code", code);
    back.searchParams.set("state", query.get("state") ?? "");
    response.writeHead(302, { location: back.href }).end();
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? "/", origin);
    const body = await bodyOf(request);
    if (pathname.startsWith(advertised?.path ?? usualPath))
      return json(response, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    if (pathname.startsWith("/.well-known/oauth-authorization-server"))
      return json(response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
      });
    if (pathname === "/register") {
      registered.push(JSON.parse(body));
      return json(response, { ...JSON.parse(body), client_id: `client-${registered.length}` }, 201);
    }
    if (pathname === "/authorize") return authorize(searchParams, response);
    if (pathname === "/token") return exchange(new URLSearchParams(body), response);
    if (pathname !== "/mcp") return json(response, {}, 404);
    if (!valid.has((request.headers.authorization ?? "").replace(/^Bearer /, ""))) {
      const scope = advertised === null ? "" : `, scope="${advertised.scope}"`;
      const where = `Bearer resource_metadata="${origin}${advertised?.path ?? usualPath}"${scope}`;
      response.writeHead(401, { "www-authenticate": where }).end();
      return;
    }
    answerMcp(request, response, body);
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  return {
    url: `${origin}/mcp`,
    tokens,
    registered,
    expire: () => valid.clear(),
    allow: (header) => void valid.add(header),
  };
}

function answerMcp(request: IncomingMessage, response: ServerResponse, body: string): void {
  if (request.method !== "POST") return void response.writeHead(405).end();
  const { id, method, params } = JSON.parse(body);
  if (id === undefined) return void response.writeHead(202).end();
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "guarded", version: "1" },
    },
    "tools/list": { tools: [{ name: "greet", description: "Greets.", inputSchema: { type: "object" } }] },
  };
  json(response, { jsonrpc: "2.0", id, result: results[method] ?? {} });
}

function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
}
