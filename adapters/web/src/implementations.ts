/** The code behind the ports, in one module: it is loaded by the first call. */
export { Extractor } from "./extract/extractor.ts";
export { HttpPages } from "./pages.ts";
export { TavilySearch } from "./tavily-search.ts";
export { networkOf } from "./transport/network-of.ts";
