import type { CapstanConfig, ConfigPath } from "@capstan/host";
import type { JsonValue } from "@capstan/protocol";

/** Keys of the configuration that stand in no table with names of the user's; these have the type of their value. */
export type ConfigKey = Exclude<ConfigPath, `${string}*${string}`>;

/** What a key may be set to: its value's type where the key is known while the program is written, else any JSON. */
export type ConfigSetting<Key extends string> = string extends Key
  ? JsonValue
  : Key extends ConfigKey
    ? Exclude<ValueAt<CapstanConfig, Key>, null>
    : JsonValue;

/** What a key has; `null` where nothing is set and there is no default. */
export type ConfigValue<Key extends string> = string extends Key
  ? JsonValue
  : Key extends ConfigKey
    ? ValueAt<CapstanConfig, Key>
    : JsonValue;

type ValueAt<Values, Path extends string> = Path extends `${infer First}.${infer Rest}`
  ? First extends keyof Values
    ? ValueAt<Values[First], Rest>
    : JsonValue
  : Path extends keyof Values
    ? Values[Path]
    : JsonValue;
