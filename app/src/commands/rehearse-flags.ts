export interface RehearseFlags {
  readonly port?: string;
  readonly record?: string;
  readonly target?: string;
  readonly force?: boolean;
  readonly replay?: string;
  readonly lenient?: boolean;
}
