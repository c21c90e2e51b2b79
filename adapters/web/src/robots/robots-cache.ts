import { maxRedirects, maxRobotsBytes, maxRobotsHosts, robotsLifeMs } from "../limits.ts";
import { readBody } from "../transport/read-body.ts";
import { type Network, requestPage } from "../transport/request-page.ts";
import { staysAt } from "../transport/stays-at.ts";
import { readAddress } from "../address/read-address.ts";
import { WebError } from "../web-error.ts";
import { everythingAllowed, parseRobots, type RobotsRules } from "./robots-rules.ts";

interface Known {
  /** `undefined`: nobody could tell. */
  readonly rules: RobotsRules | undefined;
  readonly until: number;
}

/** What hosts say about who may read what, remembered for a day. */
export class RobotsCache {
  readonly #network: Network;
  readonly #ports: readonly number[];
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();

  constructor(network: Network, ports: readonly number[], now: () => number) {
    this.#network = network;
    this.#ports = ports;
    this.#now = now;
  }

  /**
   * @returns `undefined` where the host cannot say; that is not remembered
   * @throws WebError for a host that must not be reached; the signal's reason
   */
  async rulesOf(url: URL, signal: AbortSignal): Promise<RobotsRules | undefined> {
    const { origin } = url;
    const known = this.#known.get(origin);
    if (known !== undefined && this.#now() < known.until) return known.rules;
    const rules = await this.#ask(new URL("/robots.txt", url), signal);
    this.#known.delete(origin);
    if (rules === undefined) return undefined;
    this.#known.set(origin, { rules, until: this.#now() + robotsLifeMs });
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxRobotsHosts && oldest !== undefined) this.#known.delete(oldest);
    return rules;
  }

  async #ask(start: URL, signal: AbortSignal): Promise<RobotsRules | undefined> {
    let url = start;
    try {
      for (let hop = 0; hop <= maxRedirects; hop += 1) {
        const answer = await requestPage(url, this.#network, signal);
        const { statusCode: status = 0, headers } = answer;
        if (status >= 300 && status < 400) {
          answer.destroy();
          const to = new URL(headers.location ?? "", url);
          readAddress(to.href, this.#ports);
          // Another host does not speak for this one: there are no rules here.
          if (!staysAt(url, to)) return everythingAllowed;
          url = to;
          continue;
        }
        if (status >= 200 && status < 300) {
          const { bytes } = await readBody(answer, maxRobotsBytes, "cut", signal);
          return parseRobots(bytes.toString("utf8"), this.#network.userAgent);
        }
        answer.destroy();
        return status >= 400 && status < 500 ? everythingAllowed : undefined;
      }
      return everythingAllowed;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof WebError && (error.code === "ssrf_blocked" || error.code === "dns_failed")) throw error;
      return undefined;
    }
  }
}
