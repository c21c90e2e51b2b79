/** What is used of the YAML parser. It is no ES module: imported dynamically by its own name, it would have no named exports in the bundle. */
export { isNode, LineCounter, parseDocument } from "yaml";
