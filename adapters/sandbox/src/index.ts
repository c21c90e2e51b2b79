export type { Sandbox } from "@capstan/ports";
