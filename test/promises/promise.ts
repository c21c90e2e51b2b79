/** A test by its file and its title as it stands in the source. */
export interface Owner {
  readonly file: string;
  readonly title: string;
}

/** One change of a source that breaks a promise. */
export interface PlantedFault {
  readonly file: string;
  /** Stands there once. */
  readonly from: string;
  readonly to: string;
}

/** What Capstan promises, word for word as a document says it, and the fast test that fails first when it is broken. */
export interface OwnedPromise {
  readonly says: string;
  readonly owner: Owner;
}

/** An invariant is also broken on purpose (`planted-faults.slow.test.ts`): its test must be able to fail. */
export interface Invariant extends OwnedPromise {
  readonly fault: PlantedFault;
}

export function ownedBy(file: string, title: string): Owner {
  return { file, title };
}
