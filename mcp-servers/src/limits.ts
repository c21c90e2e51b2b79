/** Resources that one turn names: more is no question about them. */
export const maxNamedResources = 10;

/** UTF-16 units of an address of a resource. */
export const maxUriLength = 2000;
