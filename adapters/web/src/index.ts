export { openWeb, type OpenedWeb, type WebConfig } from "./open-web.ts";
